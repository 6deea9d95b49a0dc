import { describe, expect, it } from 'vitest';
import { detectLanguage } from './language.ts';

describe('detectLanguage', () => {
  it.each([
    ['en', 'What is the plan for the deployment?'],
    ['es', '¿Cuántos puntos dejaron escapar en defensa los Panthers?'],
    ['fr', 'Le client préfère être appelé le matin, pas le soir.'],
    ['de', 'Die Rechnung wird am Ende des Monats mit der Post verschickt.'],
    ['pt', 'O cliente não quer receber mensagens de manhã.'],
    ['it', 'Il cliente preferisce che la fattura arrivi nel mese di maggio.'],
    ['nl', 'De klant wil het verslag niet voor maandag hebben.'],
    ['ru', 'Клиент просит не звонить ему по утрам, а писать.'],
    ['pl', 'Faktury wysyłamy ostatniego dnia miesiąca, a nie co tydzień.'],
    ['pl', 'Kopie zapasowe leżą na serwerze i są szyfrowane.'],
    ['pl', 'Księgową jest Anna, a wdrożenia są we wtorki.'],
    ['tr', 'Yeni sürümler salı sabahı yayınlanır.'],
    ['es', '¿A cuántos días paga Acme?'],
    ['other', '黑豹队的防守丢了多少分？'],
    ['other', 'ลูกค้าไม่ต้องการรับสาย'],
  ])('takes a sentence for %s: %s', (code, text) => {
    expect(detectLanguage(text)).toBe(code);
  });

  it('takes code, names and single foreign words for English', () => {
    for (const text of [
      '',
      'npm run build && git push',
      'Aliasing An Ansible Host',
      'Los Angeles',
      'PAY-1041',
      'SELECT a FROM b',
      'Łukasz Żak approves budgets',
      'Ayşe Yıldız and Işık Ağaoğlu',
    ]) {
      expect(detectLanguage(text)).toBe('en');
    }
  });

  it('takes a Chinese text with some Latin names for Chinese', () => {
    expect(detectLanguage('我们使用 Redis 作为缓存，并且在 Kubernetes 上部署所有的服务，由团队负责维护和监控')).toBe(
      'other',
    );
  });
});
