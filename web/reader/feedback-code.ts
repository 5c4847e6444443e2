/** Feedback button on each code block, and its dialog. */
import { FEEDBACK_LENGTHS } from '../../src/features/feedback/operations/feedback-lengths.ts'
import { all, announce, make, one } from './dom.ts'
import { cut, faultPlace, setFault, textArea, textOf, trapField } from './feedback-fields.ts'
import type { FeedbackLabels } from './feedback-labels.ts'
import type { Said } from './feedback-queue.ts'
import { newId } from './feedback-votes.ts'

/** Gap between a button and its dialog, and between the dialog and the edge of the window, in pixels. */
const GAP = 8
/** Below this width, the dialog is docked to the bottom of the screen. */
const NARROW = '(width < 640px)'
/** How long a button confirms the action, in ms. */
const DONE_FOR = 1600

export function codeFeedback(
  labels: FeedbackLabels,
  path: string,
  say: (body: Said & { website?: string }) => void,
): void {
  for (const place of all('.code-block:not(.code-group .code-block), .code-group > .tabs-bar')) {
    const block = place.matches('.tabs-bar') ? place.parentElement : place
    if (!block || codeOf(shownBlock(block)) === '') continue
    // Style sheets of existing sites select this button by id, so every block uses the same one.
    const button = make('button', {
      type: 'button',
      id: 'code-snippet-feedback-button',
      class: 'code-snippet-feedback-button',
      'aria-label': labels.code,
      'aria-haspopup': 'dialog',
      title: labels.code,
    })
    button.append(make('span', { 'aria-hidden': 'true' }))
    place.insertBefore(button, one(':scope > .code-block-copy-button, :scope > pre', place))
    let draft = ''
    button.addEventListener('click', () => {
      const shown = shownBlock(block)
      const dialog = createDialog(labels, titleOf(block, shown), draft, {
        keep: (text) => {
          draft = text
        },
        send: (comment, website) => {
          draft = ''
          say({ id: newId(), path, ...aboutCode(block, shown), comment, ...(website ? { website } : {}) })
          done(button)
          announce(labels.thanks)
        },
      })
      open(dialog, button)
    })
  }
}

/** Returns the block of the active tab in a code group, otherwise the block itself. */
function shownBlock(block: Element): Element {
  if (!block.matches('.code-group')) return block
  return one('.tab-panel[data-active] .code-block', block) ?? one('.code-block', block) ?? block
}

/** Returns the code exactly as shown, including removed lines of a diff. */
function codeOf(block: Element): string {
  return one('pre code', block)?.textContent?.replaceAll('\0', '') ?? ''
}

function titleOf(block: Element, shown: Element): string {
  const title = block.matches('.code-group')
    ? (one('.tab[data-active]', block) ?? null)
    : one('.code-block-title', shown)
  const select = one<HTMLSelectElement>('.tabs-bar select', block)
  return (title ?? select?.selectedOptions[0])?.textContent?.trim() ?? ''
}

function aboutCode(block: Element, shown: Element): Pick<Said, 'code' | 'filename' | 'lang'> {
  const filename = cut(titleOf(block, shown), FEEDBACK_LENGTHS.filename)
  const language = shown.getAttribute('data-language') ?? ''
  return {
    code: cut(codeOf(shown), FEEDBACK_LENGTHS.code),
    ...(filename === '' ? {} : { filename }),
    // Code without a language is highlighted as text.
    ...(language === '' || language === 'text' ? {} : { lang: cut(language, FEEDBACK_LENGTHS.lang) }),
  }
}

function createDialog(
  labels: FeedbackLabels,
  title: string,
  draft: string,
  act: { keep(text: string): void; send(comment: string, website: string): void },
): HTMLDialogElement {
  const { input, count } = textArea('code-snippet-feedback-textarea', labels.left)
  input.value = draft
  input.setAttribute('aria-describedby', 'code-snippet-feedback-fault')
  const fault = faultPlace('code-snippet-feedback-fault')
  const trap = trapField()
  const cancel = make('button', { type: 'button', class: 'feedback-action' }, labels.cancel)
  const heading = make('h2', { id: 'code-snippet-feedback-title' }, labels.code)
  if (title !== '') heading.append(make('span', { class: 'code-snippet-feedback-file' }, title))
  const form = make(
    'form',
    { class: 'code-snippet-feedback-form', novalidate: '' },
    heading,
    make('label', { for: input.id }, labels.codeComment),
    input,
    fault,
    count,
    trap,
    make('div', { class: 'feedback-actions' }, make('button', { class: 'button' }, labels.send), cancel),
  )
  const dialog = make(
    'dialog',
    { class: 'code-snippet-feedback-popover', 'aria-labelledby': heading.id },
    form,
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const comment = textOf(input)
    if (comment === '') {
      setFault(input, fault, labels.codeEmpty)
      return
    }
    input.value = ''
    dialog.close()
    act.send(comment, trap.value)
  })
  input.addEventListener('input', () => {
    // Not on close, because the close event may fire after the next keystroke.
    act.keep(input.value)
    if (!fault.hidden) setFault(input, fault, '')
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
function open(dialog: HTMLDialogElement, button: HTMLElement): void {
  document.body.append(dialog)
  dialog.showModal()
  if (matchMedia(NARROW).matches) return
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = dialog
  const isBelow = at.bottom + GAP + height <= innerHeight || at.top < height + 2 * GAP
  const top = isBelow ? at.bottom + GAP : at.top - GAP - height
  const isRight = getComputedStyle(button).direction === 'ltr'
  const left = isRight ? at.right - width : at.left
  dialog.style.top = `${Math.max(GAP, Math.min(top, innerHeight - height - GAP))}px`
  dialog.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`
}

function done(button: HTMLElement): void {
  button.dataset.done = ''
  setTimeout(() => delete button.dataset.done, DONE_FOR)
}
