/** Buttons that copy and save an image, on images that enable them. */
import { announce, createElement, findElement, findElements, readUiStrings } from './dom.ts'

export function initImageActions(): void {
  const words = readUiStrings()
  for (const image of findElements<HTMLImageElement>('#content img[data-actions]')) {
    const wanted = (image.dataset.actions ?? '').split(',')
    const holder = createElement('span', {
      class: 'image-actions',
      'data-placement': image.dataset.placement ?? 'bottom-center',
    })
    const bar = createElement('span', { class: 'image-actions-bar' })
    if (wanted.includes('copy')) {
      const label = words.copyImage ?? 'Copy image'
      const button = createElement('button', {
        type: 'button',
        'data-act': 'copy',
        'aria-label': label,
        title: label,
      })
      button.addEventListener('click', () => void copyImage(image, button))
      bar.append(button)
    }
    if (wanted.includes('download')) {
      const label = words.download ?? 'Download'
      const name = image.src.split('/').pop()?.split(/[?#]/)[0] ?? ''
      const look = { 'data-act': 'download', 'aria-label': label, title: label }
      bar.append(createElement('a', { href: image.currentSrc || image.src, download: name, ...look }))
    }
    image.before(holder)
    holder.append(image, bar)
  }
}

/**
 * Copies an image. Browsers only accept PNG, and cross-origin images or images on disk may not be readable.
 */
async function copyImage(image: HTMLImageElement, button: HTMLElement): Promise<void> {
  try {
    const canvas = createElement('canvas')
    canvas.width = image.naturalWidth
    canvas.height = image.naturalHeight
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    if (!blob) return
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
    button.dataset.done = ''
    announce(findElement('#content-area')?.dataset.copied ?? 'Copied')
  } catch {
    // The save button remains available.
  }
}
