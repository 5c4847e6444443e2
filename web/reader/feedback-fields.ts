import { FEEDBACK_LENGTHS } from '../../src/features/feedback/operations/feedback-lengths.ts'
import { createElement } from './dom.ts'

/** Number of remaining characters at which the counter appears. */
const SHOW_COUNT_BELOW = 200
/** Values at which the counter is announced to screen readers, instead of with every keystroke. */
const ANNOUNCED_COUNTS = [200, 50, 10, 0]

export interface TextArea {
  input: HTMLTextAreaElement
  count: HTMLElement
}

export function createTextArea(id: string, leftLabel: string): TextArea {
  const limit = FEEDBACK_LENGTHS.comment
  const input = createElement('textarea', {
    id,
    class: 'feedback-input',
    rows: '3',
    maxlength: String(limit),
  })
  const shown = createElement('span', { 'aria-hidden': 'true' })
  const announcement = createElement('span', { role: 'status', class: 'visually-hidden' })
  const count = createElement('div', { class: 'feedback-count' }, shown, announcement)
  const update = () => {
    const left = limit - input.value.length
    const text = `${leftLabel} ${left}`
    shown.textContent = left <= SHOW_COUNT_BELOW ? text : ''
    const isAnnounced = ANNOUNCED_COUNTS.some((mark) => left <= mark && left + 1 > mark)
    if (isAnnounced) announcement.textContent = text
  }
  input.addEventListener('input', update)
  return { input, count }
}

/** Honeypot field, invisible to readers: a value means that a program filled in the form. */
export function createHoneypotField(): HTMLInputElement {
  return createElement('input', {
    type: 'text',
    name: 'website',
    class: 'feedback-website',
    tabindex: '-1',
    autocomplete: 'off',
    'aria-hidden': 'true',
  })
}

export function setError(
  input: HTMLInputElement | HTMLTextAreaElement,
  container: HTMLElement,
  error: string,
): void {
  container.textContent = error
  container.hidden = error === ''
  if (error === '') {
    input.removeAttribute('aria-invalid')
    return
  }
  input.setAttribute('aria-invalid', 'true')
  input.focus()
}

export function createErrorElement(id: string): HTMLElement {
  return createElement('p', { id, class: 'feedback-fault', role: 'alert', hidden: '' })
}

/** Returns the text without U+0000, which cannot be stored. */
export function readText(input: HTMLInputElement | HTMLTextAreaElement): string {
  return input.value.replaceAll('\0', '').trim()
}

/** Validates like the platform, but also rejects domains without a dot as probable typos. */
export function isEmail(text: string): boolean {
  const part = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
  const local = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
  return (
    text.length <= FEEDBACK_LENGTHS.contact &&
    new RegExp(`^${local}(?:\\.${local})*@${part}(?:\\.${part})+$`, 'i').test(text)
  )
}

/** Truncates text to a number of Unicode code points. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('')
}
