// docs/recording.svg: the first console block of the README as a terminal in which its lines come one after the other.
// Invariant: it says what the block says, and a test holds the block to what the commands print.

const COLUMNS = 104;
const CHARACTER_WIDTH = 8.43;
const LINE_HEIGHT = 20;
const PADDING = 16;
const TITLE_HEIGHT = 32;
const SECONDS = { typed: 0.9, printed: 0.12 };

/** The drawing, as text. Without animation (some viewers, and people who asked for less motion) all of it is there at once. */
export function drawRecording(readme) {
  const block = /```console\n(.*?)```/s.exec(readme)?.[1];
  if (block === undefined) throw new Error('README.md has no console block to draw docs/recording.svg from');
  const lines = `${block.trimEnd()}\n$ `.split('\n').flatMap(wrap);
  const width = Math.ceil(COLUMNS * CHARACTER_WIDTH) + 2 * PADDING;
  const height = TITLE_HEIGHT + lines.length * LINE_HEIGHT + 2 * PADDING;
  let at = 0;
  const texts = lines.map((line, row) => {
    at += line.startsWith('$ ') ? SECONDS.typed : SECONDS.printed;
    const y = TITLE_HEIGHT + PADDING + (row + 1) * LINE_HEIGHT - 6;
    const kind = line.startsWith('$ ') ? ' class="typed"' : '';
    return `  <text x="${PADDING}" y="${y}"${kind} style="animation-delay: ${at.toFixed(2)}s">${escapeXml(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" xml:space="preserve">
  <title>stet in a terminal</title>
  <style>
    rect { fill: #16181d; }
    circle { fill: #3d424d; }
    text { fill: #b9bec8; white-space: pre; font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    .typed { fill: #ffffff; }
    @media (prefers-reduced-motion: no-preference) {
      text { animation: appear 0.05s both; }
    }
    @keyframes appear { from { opacity: 0; } to { opacity: 1; } }
  </style>
  <rect width="${width}" height="${height}" rx="8"/>
${[0, 1, 2].map((each) => `  <circle cx="${PADDING + 6 + each * 20}" cy="18" r="6"/>`).join('\n')}
${texts.join('\n')}
</svg>
`;
}

/** As a terminal breaks a line that is too long. */
function wrap(line) {
  const rows = [];
  for (let at = 0; at === 0 || at < line.length; at += COLUMNS) rows.push(line.slice(at, at + COLUMNS));
  return rows;
}

function escapeXml(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
