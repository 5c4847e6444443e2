/** Feedback button on each code block, and its dialog. */
import { FEEDBACK_LENGTHS } from '../../src/features/feedback/operations/feedback-lengths.ts'
import { announce, createElement, findElement, findElements } from './dom.ts'
import {
  createErrorElement,
  createHoneypotField,
  createTextArea,
  readText,
  setError,
  truncate,
} from './feedback-fields.ts'
import type { FeedbackLabels } from './feedback-labels.ts'
import type { FeedbackBody } from './feedback-queue.ts'
import { createId } from './feedback-votes.ts'

/** Gap between a button and its dialog, and between the dialog and the edge of the window, in pixels. */
const GAP_PX = 8
/** Below this width, the dialog is docked to the bottom of the screen. */
const NARROW_QUERY = '(width < 640px)'
/** Duration of the confirmation on a button, in ms. */
const DONE_MS = 1600

export function initCodeFeedback(
  labels: FeedbackLabels,
  path: string,
  submitFeedback: (body: FeedbackBody & { website?: string }) => void,
): void {
  for (const container of findElements('.code-block:not(.code-group .code-block), .code-group > .tabs-bar')) {
    const block = container.matches('.tabs-bar') ? container.parentElement : container
    if (!block || readCode(findShownBlock(block)) === '') continue
    // Style sheets of existing sites select this button by id, so every block uses the same id.
    const button = createElement('button', {
      type: 'button',
      id: 'code-snippet-feedback-button',
      class: 'code-snippet-feedback-button',
      'aria-label': labels.code,
      'aria-haspopup': 'dialog',
      title: labels.code,
    })
    button.append(createElement('span', { 'aria-hidden': 'true' }))
    container.insertBefore(button, findElement(':scope > .code-block-copy-button, :scope > pre', container))
    let draft = ''
    button.addEventListener('click', () => {
      const shown = findShownBlock(block)
      const dialog = createDialog(labels, dialogTitle(block, shown), draft, {
        keep: (text) => {
          draft = text
        },
        send: (comment, website) => {
          draft = ''
          submitFeedback({
            id: createId(),
            path,
            ...describeCode(block, shown),
            comment,
            ...(website ? { website } : {}),
          })
          showDone(button)
          announce(labels.thanks)
        },
      })
      openDialog(dialog, button)
    })
  }
}

/** Returns the block of the active tab in a code group, otherwise the block itself. */
function findShownBlock(block: Element): Element {
  if (!block.matches('.code-group')) return block
  return (
    findElement('.tab-panel[data-active] .code-block', block) ?? findElement('.code-block', block) ?? block
  )
}

/** Returns the code exactly as shown, including removed lines of a diff. */
function readCode(block: Element): string {
  return findElement('pre code', block)?.textContent?.replaceAll('\0', '') ?? ''
}

function dialogTitle(block: Element, shown: Element): string {
  const title = block.matches('.code-group')
    ? (findElement('.tab[data-active]', block) ?? null)
    : findElement('.code-block-title', shown)
  const select = findElement<HTMLSelectElement>('.tabs-bar select', block)
  return (title ?? select?.selectedOptions[0])?.textContent?.trim() ?? ''
}

function describeCode(block: Element, shown: Element): Pick<FeedbackBody, 'code' | 'filename' | 'lang'> {
  const filename = truncate(dialogTitle(block, shown), FEEDBACK_LENGTHS.filename)
  const language = shown.getAttribute('data-language') ?? ''
  return {
    code: truncate(readCode(shown), FEEDBACK_LENGTHS.code),
    ...(filename === '' ? {} : { filename }),
    // Code without a language is highlighted as text.
    ...(language === '' || language === 'text' ? {} : { lang: truncate(language, FEEDBACK_LENGTHS.lang) }),
  }
}

function createDialog(
  labels: FeedbackLabels,
  title: string,
  draft: string,
  callbacks: { keep(text: string): void; send(comment: string, website: string): void },
): HTMLDialogElement {
  const { input, count } = createTextArea('code-snippet-feedback-textarea', labels.left)
  input.value = draft
  input.setAttribute('aria-describedby', 'code-snippet-feedback-fault')
  const error = createErrorElement('code-snippet-feedback-fault')
  const honeypot = createHoneypotField()
  const cancel = createElement('button', { type: 'button', class: 'feedback-action' }, labels.cancel)
  const heading = createElement('h2', { id: 'code-snippet-feedback-title' }, labels.code)
  if (title !== '') heading.append(createElement('span', { class: 'code-snippet-feedback-file' }, title))
  const form = createElement(
    'form',
    { class: 'code-snippet-feedback-form', novalidate: '' },
    heading,
    createElement('label', { for: input.id }, labels.codeComment),
    input,
    error,
    count,
    honeypot,
    createElement(
      'div',
      { class: 'feedback-actions' },
      createElement('button', { class: 'button' }, labels.send),
      cancel,
    ),
  )
  const dialog = createElement(
    'dialog',
    { class: 'code-snippet-feedback-popover', 'aria-labelledby': heading.id },
    form,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const comment = readText(input)
    if (comment === '') {
      setError(input, error, labels.codeEmpty)
      return
    }
    input.value = ''
    dialog.close()
    callbacks.send(comment, honeypot.value)
  })
  input.addEventListener('input', () => {
    // Saved here and not on close, because the close event may fire after the next keystroke.
    callbacks.keep(input.value)
    if (!error.hidden) setError(input, error, '')
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  cancel.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  dialog.addEventListener('close', () => dialog.remove())
  return dialog
}

/** Opens the dialog below the button, or above it when there is no room; it scrolls with the page. */
function openDialog(dialog: HTMLDialogElement, button: HTMLElement): void {
  document.body.append(dialog)
  dialog.showModal()
  if (matchMedia(NARROW_QUERY).matches) return
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = dialog
  const isBelow = at.bottom + GAP_PX + height <= innerHeight || at.top < height + 2 * GAP_PX
  const top = isBelow ? at.bottom + GAP_PX : at.top - GAP_PX - height
  const isRight = getComputedStyle(button).direction === 'ltr'
  const left = isRight ? at.right - width : at.left
  dialog.style.top = `${Math.max(GAP_PX, Math.min(top, innerHeight - height - GAP_PX))}px`
  dialog.style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - width - GAP_PX))}px`
}

function showDone(button: HTMLElement): void {
  button.dataset.done = ''
  setTimeout(() => delete button.dataset.done, DONE_MS)
}
