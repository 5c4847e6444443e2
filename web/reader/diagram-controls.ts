/** Diagram controls: zoom in, zoom out, reset, full screen; a zoomed diagram can be dragged. */
import { make, one, wordsOfPage } from './dom.ts'

/** In pixels; lower diagrams get no controls. */
const LOW = 120
const STEP = 1.3
const NEAREST = 6
const FARTHEST = 0.5

const GLYPHS = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  resetView: 'Reset view',
  fullScreen: 'Full screen',
} as const

/** `view` contains the drawing. Redrawing calls this again and preserves the zoom and position. */
export function diagramControls(box: HTMLElement, view: HTMLElement): void {
  const wanted = box.dataset.actions
  if (wanted === 'false' || (wanted === undefined && view.offsetHeight <= LOW)) return
  if (one('.mermaid-controls', box)) return
  const place = { scale: 1, x: 0, y: 0 }
  const apply = () => {
    view.style.setProperty('--view', `translate(${place.x}px, ${place.y}px) scale(${place.scale})`)
    view.toggleAttribute('data-near', place.scale > 1)
  }
  const zoom = (factor: number) => {
    place.scale = Math.max(FARTHEST, Math.min(NEAREST, place.scale * factor))
    if (place.scale <= 1) Object.assign(place, { x: 0, y: 0 })
    apply()
  }
  const acts: Record<keyof typeof GLYPHS, () => void> = {
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    resetView: () => {
      Object.assign(place, { scale: 1, x: 0, y: 0 })
      apply()
    },
    fullScreen: () => enlarge(box),
  }
  const words = wordsOfPage()
  const buttons = Object.entries(GLYPHS).map(([name, english]) => {
    const label = words[name] ?? english
    const button = make('button', { type: 'button', 'aria-label': label, title: label, 'data-act': name })
    button.addEventListener('click', acts[name as keyof typeof GLYPHS])
    return button
  })
  const controls = { class: 'mermaid-controls', 'data-component-name': 'mermaid-controls-wrapper' }
  box.append(make('div', controls, ...buttons))
  dragging(view, place, apply)
}

function dragging(
  view: HTMLElement,
  place: { scale: number; x: number; y: number },
  apply: () => void,
): void {
  view.addEventListener('pointerdown', (event) => {
    if (place.scale <= 1 || event.button !== 0) return
    view.setPointerCapture(event.pointerId)
    const start = { x: event.clientX - place.x, y: event.clientY - place.y }
    const move = (moved: PointerEvent) => {
      place.x = moved.clientX - start.x
      place.y = moved.clientY - start.y
      apply()
    }
    const end = () => {
      view.removeEventListener('pointermove', move)
      view.removeEventListener('lostpointercapture', end)
    }
    view.addEventListener('pointermove', move)
    view.addEventListener('lostpointercapture', end)
  })
}

/** Moves the diagram into a dialog and back, so that it is not rendered twice. */
function enlarge(box: HTMLElement): void {
  const open = box.closest('dialog')
  if (open) {
    open.close()
    return
  }
  const mark = document.createComment('')
  box.before(mark)
  const label = wordsOfPage().diagram ?? 'Diagram'
  const dialog = make('dialog', { class: 'diagram-screen', 'aria-label': label }, box)
  mark.after(dialog)
  dialog.addEventListener('close', () => {
    mark.replaceWith(box)
    dialog.remove()
    one('[data-act="fullScreen"]', box)?.focus({ preventScroll: true })
  })
  dialog.showModal()
}
