/** Announcement banner. Once closed, it stays closed until its content, and therefore its key, changes. */
import { onClick, one } from './dom.ts'
import { KEYS, remember } from './storage.ts'

export function closeBanner(): void {
  onClick('.banner-close', () => {
    remember(KEYS.banner, one('#banner')?.dataset.key ?? '')
    document.documentElement.dataset.bannerClosed = ''
  })
}
