/**
 * Problems of the open page: a small button at the edge of the window that opens a list. Rendered in a shadow root,
 * so that its styles and those of the site do not affect each other; all text is set as plain text.
 */
import type { PreviewNotes } from '../../src/base/api/preview.ts'
import type { Problem } from '../../src/base/errors/problem.ts'

export interface NotesView {
  show(notes: PreviewNotes): void
}

declare const NOTES_STYLE: string

const PANEL_ID = 'panel'

export function createNotesView(): NotesView {
  const host = document.createElement('octavo-preview')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = document.createElement('style')
  sheet.textContent = NOTES_STYLE
  const box = createElement('div', 'box')
  const status = createElement('div', 'status')
  status.setAttribute('role', 'status')
  root.append(sheet, status, box)

  /** Dismissed notes, as JSON; they reappear when they change. */
  let dismissedNotes = ''
  let isOpen = false
  let shown: PreviewNotes = { problems: [], isBroken: false }

  const render = () => {
    const summary = summarizeNotes(shown)
    status.textContent = summary
    box.replaceChildren()
    if (summary === '' || JSON.stringify(shown) === dismissedNotes) return
    const toggle = createElement('button', 'toggle', summary)
    toggle.setAttribute('aria-expanded', String(isOpen))
    toggle.setAttribute('aria-controls', PANEL_ID)
    toggle.dataset.level = shown.isBroken || hasErrors(shown) ? 'error' : 'warning'
    toggle.addEventListener('click', () => setOpen(!isOpen))
    const close = createElement('button', 'close', '×')
    close.setAttribute('aria-label', 'Hide the problems until they change')
    close.addEventListener('click', () => {
      dismissedNotes = JSON.stringify(shown)
      isOpen = false
      render()
    })
    const bar = createElement('div', 'bar')
    bar.append(toggle, close)
    if (isOpen) box.append(createPanel(shown))
    box.append(bar)
  }

  const setOpen = (open: boolean) => {
    isOpen = open
    render()
    root.querySelector<HTMLElement>('.toggle')?.focus()
  }

  root.addEventListener('keydown', (event) => {
    if ((event as KeyboardEvent).key !== 'Escape' || !isOpen) return
    event.stopPropagation()
    setOpen(false)
  })
  document.body.append(host)
  return {
    show(notes) {
      shown = notes
      const hadFocus = root.activeElement?.className
      render()
      if (hadFocus) root.querySelector<HTMLElement>(`.${hadFocus}`)?.focus()
    },
  }
}

function summarizeNotes({ problems, isBroken }: PreviewNotes): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  if (isBroken) return `This page does not compile, so it is shown as plain text · ${count}`
  return problems.length === 0 ? '' : count
}

function hasErrors({ problems }: PreviewNotes): boolean {
  return problems.some(({ level }) => level === 'error')
}

function createPanel({ problems }: PreviewNotes): HTMLElement {
  const panel = createElement('div', 'panel')
  panel.id = PANEL_ID
  panel.tabIndex = 0
  panel.setAttribute('role', 'region')
  panel.setAttribute('aria-label', 'Problems of this page')
  const list = createElement('ul', 'list')
  list.append(...problems.map(createItem))
  panel.append(list)
  return panel
}

function createItem({ file, line, level, message, remedy }: Problem): HTMLElement {
  const item = createElement('li', 'item')
  item.dataset.level = level
  const location = createElement('p', 'place', `${file}${line === null ? '' : `:${line}`}`)
  location.append(createElement('span', 'level', level))
  item.append(location, createElement('p', 'message', message), createElement('p', 'remedy', remedy))
  return item
}

function createElement(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = text
  return made
}
