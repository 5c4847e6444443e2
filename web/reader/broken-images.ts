/** Marks images that fail to load, so that their alt text is shown instead. */
import { findElements } from './dom.ts'

export function initBrokenImages(): void {
  const mark = (target: EventTarget | null) => {
    if (target instanceof HTMLImageElement) target.dataset.broken = ''
  }
  // Error events of images do not bubble.
  addEventListener('error', ({ target }) => mark(target), true)
  for (const image of findElements<HTMLImageElement>('img[src]')) {
    // An SVG may have no intrinsic width; only an image that cannot be decoded is broken.
    if (image.complete && image.naturalWidth === 0) image.decode().catch(() => mark(image))
  }
}
