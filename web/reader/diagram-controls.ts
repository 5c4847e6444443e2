/** Diagram controls: zoom in, zoom out, reset, full screen; a zoomed diagram can be dragged. */
import { createElement, findElement, readUiStrings } from './dom.ts'

/** Minimum height in pixels of diagrams that get controls. */
const MIN_HEIGHT_PX = 120
const ZOOM_STEP = 1.3
const MAX_SCALE = 6
const MIN_SCALE = 0.5

const CONTROL_LABELS = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  resetView: 'Reset view',
  fullScreen: 'Full screen',
} as const

/** `view` contains the drawing. Redrawing calls this again and preserves the zoom and position. */
export function addDiagramControls(box: HTMLElement, view: HTMLElement): void {
  const wanted = box.dataset.actions
  if (wanted === 'false' || (wanted === undefined && view.offsetHeight <= MIN_HEIGHT_PX)) return
  if (findElement('.mermaid-controls', box)) return
  const transform = { scale: 1, x: 0, y: 0 }
  const apply = () => {
    view.style.setProperty(
      '--view',
      `translate(${transform.x}px, ${transform.y}px) scale(${transform.scale})`,
    )
    view.toggleAttribute('data-near', transform.scale > 1)
  }
  const zoom = (factor: number) => {
    transform.scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, transform.scale * factor))
    if (transform.scale <= 1) Object.assign(transform, { x: 0, y: 0 })
    apply()
  }
  const acts: Record<keyof typeof CONTROL_LABELS, () => void> = {
    zoomIn: () => zoom(ZOOM_STEP),
    zoomOut: () => zoom(1 / ZOOM_STEP),
    resetView: () => {
      Object.assign(transform, { scale: 1, x: 0, y: 0 })
      apply()
    },
    fullScreen: () => enlarge(box),
  }
  const words = readUiStrings()
  const buttons = Object.entries(CONTROL_LABELS).map(([name, english]) => {
    const label = words[name] ?? english
    const button = createElement('button', {
      type: 'button',
      'aria-label': label,
      title: label,
      'data-act': name,
    })
    button.addEventListener('click', acts[name as keyof typeof CONTROL_LABELS])
    return button
  })
  const controls = { class: 'mermaid-controls', 'data-component-name': 'mermaid-controls-wrapper' }
  box.append(createElement('div', controls, ...buttons))
  enableDragging(view, transform, apply)
}

function enableDragging(
  view: HTMLElement,
  transform: { scale: number; x: number; y: number },
  apply: () => void,
): void {
  view.addEventListener('pointerdown', (event) => {
    if (transform.scale <= 1 || event.button !== 0) return
    view.setPointerCapture(event.pointerId)
    const start = { x: event.clientX - transform.x, y: event.clientY - transform.y }
    const move = (moved: PointerEvent) => {
      transform.x = moved.clientX - start.x
      transform.y = moved.clientY - start.y
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
  const label = readUiStrings().diagram ?? 'Diagram'
  const dialog = createElement('dialog', { class: 'diagram-screen', 'aria-label': label }, box)
  mark.after(dialog)
  dialog.addEventListener('close', () => {
    mark.replaceWith(box)
    dialog.remove()
    findElement('[data-act="fullScreen"]', box)?.focus({ preventScroll: true })
  })
  dialog.showModal()
}
