/** Pictures that cannot be had are marked, so that their words stand where they would be. */
import { all } from './dom.ts'

export function brokenImages(): void {
  const mark = (target: EventTarget | null) => {
    if (target instanceof HTMLImageElement) target.dataset.broken = ''
  }
  // Errors of pictures do not bubble.
  addEventListener('error', ({ target }) => mark(target), true)
  for (const image of all<HTMLImageElement>('img[src]')) {
    // A drawing may be without a width of its own; one that cannot be decoded is broken.
    if (image.complete && image.naturalWidth === 0) image.decode().catch(() => mark(image))
  }
}
