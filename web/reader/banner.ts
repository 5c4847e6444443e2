/** Announcement banner. Once closed, it stays closed until its content, and therefore its key, changes. */
import { delegateClick, findElement } from './dom.ts'
import { KEYS, writeStored } from './storage.ts'

export function initBanner(): void {
  delegateClick('.banner-close', () => {
    writeStored(KEYS.banner, findElement('#banner')?.dataset.key ?? '')
    document.documentElement.dataset.bannerClosed = ''
  })
}
