/** Enlarges images of the content on click or by keyboard. */
import { createElement, findElements, readUiStrings } from './dom.ts'

/** In pixels; smaller images are treated as icons. */
const MIN_IMAGE_PX = 160
/** Scroll distance in pixels that closes the enlarged image. */
const CLOSE_SCROLL_PX = 32

export function initImageZoom(): void {
  for (const image of findElements<HTMLImageElement>('#content img:not([data-no-zoom], .icon)')) {
    if (image.closest('a, button, .card, summary')) continue
    if (image.complete) prepare(image)
    else image.addEventListener('load', () => prepare(image), { once: true })
  }
}

function prepare(image: HTMLImageElement): void {
  const isSmall = Math.max(image.naturalWidth, image.offsetWidth) < MIN_IMAGE_PX
  if (isSmall || image.dataset.zoomable !== undefined) return
  image.dataset.zoomable = ''
  image.tabIndex = 0
  image.setAttribute('role', 'button')
  image.setAttribute('aria-haspopup', 'dialog')
  if (!image.alt) {
    // An empty alt would mark the image as decorative, but it is a button.
    image.removeAttribute('alt')
    image.setAttribute('aria-label', readUiStrings().image ?? 'Image')
  }
  image.addEventListener('click', () => open(image))
  image.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    open(image)
  })
}

function open(image: HTMLImageElement): void {
  const large = createElement('img', { src: image.currentSrc || image.src, alt: image.alt })
  const dialog = createElement(
    'dialog',
    { class: 'zoom', 'aria-label': image.alt || (readUiStrings().image ?? 'Image') },
    large,
  )
  dialog.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    removeEventListener('scroll', onScroll)
    dialog.remove()
    image.focus({ preventScroll: true })
  })
  const from = scrollY
  const onScroll = () => {
    if (Math.abs(scrollY - from) > CLOSE_SCROLL_PX) dialog.close()
  }
  addEventListener('scroll', onScroll, { passive: true })
  document.body.append(dialog)
  dialog.showModal()
}
