// What the tokens and keys of common services look like, beyond those that secretlint's preset knows. Formats are the
// services' own, as their documentation and secret-scanning pages give them. Invariant: every format is anchored by a
// prefix or a frame that ordinary text and hashes do not have.

export interface TokenFormat {
  /** In words, as it is told to the user. */
  readonly rule: string;
  readonly pattern: RegExp;
}

function token(rule: string, source: string): TokenFormat {
  return { rule, pattern: new RegExp(`(?<![A-Za-z0-9_-])(?:${source})(?![A-Za-z0-9])`, 'gu') };
}

export const TOKEN_FORMATS: readonly TokenFormat[] = [
  {
    rule: 'private key',
    // A key that is cut off is one too, but a header alone is only talk of keys.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?=(?:(?!-----)[\s\S]){0,400}?[A-Za-z0-9+/=]{32})(?:(?!-----)[\s\S]){32,12000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?/gu,
  },
  token('age secret key', 'AGE-SECRET-KEY-1[A-Z0-9]{58}'),
  token('JSON Web Token', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'),
  token('AWS access key', '(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}'),
  token('OpenAI key', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|sk-[A-Za-z0-9]{32,}'),
  token('Anthropic key', 'sk-ant-[a-z0-9]+-[A-Za-z0-9_-]{20,}'),
  token('OpenRouter key', 'sk-or-v1-[a-f0-9]{64}'),
  token('GitHub token', 'gh[pousr]_[A-Za-z0-9]{36,251}|github_pat_[A-Za-z0-9_]{40,}'),
  token('GitLab token', 'gl(?:pat|dt|rt|ptt|oas|agent|cbt|ft|soat|imt)-[A-Za-z0-9_-]{20,}'),
  token('Stripe key', '(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/=]{24,}'),
  token('Google API key', 'AIza[A-Za-z0-9_-]{35}'),
  token('Google OAuth secret', 'GOCSPX-[A-Za-z0-9_-]{28}|ya29\\.[A-Za-z0-9_-]{30,}|1//0[A-Za-z0-9_-]{30,}'),
  token('Hugging Face token', '(?:hf|api_org)_[A-Za-z0-9]{30,}'),
  token('PyPI token', 'pypi-AgE[A-Za-z0-9_-]{50,}'),
  token('npm token', 'npm_[A-Za-z0-9]{36}'),
  token('RubyGems key', 'rubygems_[a-f0-9]{48}'),
  token('Docker Hub token', 'dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,}'),
  token('DigitalOcean token', 'do[opr]_v1_[a-f0-9]{64}'),
  token('Slack token', 'xox[abeoprs]-(?=[A-Za-z0-9-]*\\d)[A-Za-z0-9-]{20,}|xapp-\\d-[A-Z0-9]+-\\d+-[a-z0-9]{20,}'),
  token('Discord token', '[MNO][A-Za-z0-9_-]{23,27}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,}'),
  token(
    'Discord webhook',
    'https://(?:[a-z]+\\.)?discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/\\d{17,20}/[A-Za-z0-9_-]{60,}',
  ),
  token(
    'Teams webhook',
    'https://[a-z0-9-]+\\.webhook\\.office\\.com/webhookb2/[a-f0-9-]{36}@[a-f0-9-]{36}/IncomingWebhook/[a-f0-9]{32}/[A-Za-z0-9/_-]{36,}',
  ),
  token('Telegram bot token', '\\d{8,10}:AA[A-Za-z0-9_-]{33}'),
  token('Twilio key', 'SK[a-f0-9]{32}'),
  token('SendGrid key', 'SG\\.[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{32,64}'),
  token('Mailgun key', 'key-[a-f0-9]{32}'),
  token('Mailchimp key', '[a-f0-9]{32}-us\\d{1,2}'),
  token('Databricks token', 'dapi[a-f0-9]{32}(?:-\\d)?'),
  token('HashiCorp Vault token', 'hv[bs]\\.[A-Za-z0-9_-]{24,}'),
  token('Terraform Cloud token', '[A-Za-z0-9]{14}\\.atlasv1\\.[A-Za-z0-9_-]{60,}'),
  token('Pulumi token', 'pul-[a-f0-9]{40}'),
  token('Doppler token', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[A-Za-z0-9.]{40,}'),
  token('Supabase token', 'sb[pv]_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,}'),
  token('PlanetScale token', 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}'),
  token('Notion token', 'ntn_[A-Za-z0-9]{40,}|secret_[A-Za-z0-9]{43}'),
  token('Linear key', 'lin_(?:api|oauth)_[A-Za-z0-9]{32,}'),
  token('Figma token', 'fig[dou]_[A-Za-z0-9_-]{40,}'),
  token('Sentry token', 'sntry[su]_[A-Za-z0-9+/=_-]{40,}'),
  token('Grafana token', 'gl(?:sa|c)_[A-Za-z0-9+/=_]{32,}'),
  token('New Relic key', 'NRAK-[A-Z0-9]{27}'),
  token('Postman key', 'PMAK-[a-f0-9]{24}-[a-f0-9]{34}'),
  token('Atlassian token', 'AT(?:ATT3|CTT3|BB)[A-Za-z0-9_=-]{20,}'),
  token('Square token', 'sq0(?:atp|csp)-[A-Za-z0-9_-]{22,}'),
  token('Shopify token', 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}'),
  token('Airtable token', 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}'),
  token('Tailscale key', 'tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]+'),
  token('Netlify token', 'nf[pcou]_[A-Za-z0-9]{36,}'),
  token('Fly.io token', 'fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}'),
  token('Groq key', 'gsk_[A-Za-z0-9]{40,}'),
  token('xAI key', 'xai-[A-Za-z0-9]{40,}'),
  token('Perplexity key', 'pplx-[A-Za-z0-9]{40,}'),
  token('Replicate token', 'r8_[A-Za-z0-9]{37,}'),
  token('Azure storage key', '(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,}={0,2}'),
  token('Azure client secret', '[A-Za-z0-9_~.]{3}\\dQ~[A-Za-z0-9_~.-]{31,34}'),
  token('1Password token', 'ops_eyJ[A-Za-z0-9+/=_-]{60,}'),
];
