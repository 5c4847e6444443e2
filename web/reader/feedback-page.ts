/**
 * The vote at the end of a page and its form.
 *
 *   asking ──vote──▶ open ──send──▶ thanked ──undo, for a while──▶ asking
 *                     └──cancel──▶ thanked for the vote only ──add a comment──▶ open
 *
 * The vote is sent immediately; the form's content is added to it with the same id.
 */
import { announce, createElement, findElement } from './dom.ts'
import {
  createErrorElement,
  createHoneypotField,
  createTextArea,
  isEmail,
  readText,
  setError,
} from './feedback-fields.ts'
import type { FeedbackLabels } from './feedback-labels.ts'
import type { FeedbackBody } from './feedback-queue.ts'
import { createId, readVote, storeVote, type Vote } from './feedback-votes.ts'

export interface PageFeedback {
  labels: FeedbackLabels
  site: string
  path: string
  submitFeedback(body: FeedbackBody, options?: { holdMs?: number }): void
  withdraw(id: string): void
  /** Content after the thanks: where the entry is stored, and how to export it. */
  storageNote(): Node[]
}

/** Time in ms during which a submitted form can be undone. The form is sent only after this time. */
const UNDO_TIMEOUT_MS = 10_000

export function initPageFeedback(toolbar: HTMLElement, parts: PageFeedback): void {
  const { labels, site, path } = parts
  const thumbs = findThumbs(toolbar)
  if (!thumbs.up || !thumbs.down) return
  const panel = createElement('div', { class: 'contextual-feedback' })
  toolbar.append(panel)
  let vote = readVote(site, path)
  showVote()

  function showVote(): void {
    thumbs.up?.setAttribute('aria-pressed', String(vote?.helpful === true))
    thumbs.down?.setAttribute('aria-pressed', String(vote?.helpful === false))
  }

  function castVote(helpful: boolean): void {
    const isNew = vote?.helpful !== helpful
    vote = { id: vote?.id ?? createId(), helpful }
    storeVote(site, path, vote)
    showVote()
    if (isNew) parts.submitFeedback({ id: vote.id, path, helpful })
    openForm(vote)
  }

  function openForm(given: Vote): void {
    const form = createForm(labels, given, {
      send: (words) => {
        parts.submitFeedback(
          { id: given.id, path, helpful: given.helpful, ...words },
          { holdMs: UNDO_TIMEOUT_MS },
        )
        showThanks(given, true)
      },
      leave: () => showThanks(given, false),
    })
    replaceContent(panel, [form])
    findElement<HTMLInputElement>('input', form)?.focus({ preventScroll: true })
    form.scrollIntoView({ block: 'nearest', behavior: isMotionAllowed() ? 'smooth' : 'auto' })
  }

  /** `isWhole` is true if the vote includes a submitted form, which can be undone only until it is sent. */
  function showThanks(given: Vote, isWhole: boolean): void {
    const undo = createAction(labels.undo, () => undoVote(given))
    const more = isWhole ? [] : [createAction(labels.more, () => openForm(given))]
    showMessage(panel, labels.thanks, [...parts.storageNote(), undo, ...more]).focus({ preventScroll: true })
    if (isWhole) expireUndo(undo)
  }

  function undoVote(given: Vote): void {
    parts.withdraw(given.id)
    vote = null
    storeVote(site, path, null)
    showVote()
    showMessage(panel, labels.undone)
    thumbs[given.helpful ? 'up' : 'down']?.focus({ preventScroll: true })
  }

  thumbs.up.addEventListener('click', () => castVote(true))
  thumbs.down.addEventListener('click', () => castVote(false))
}

/** Shows and announces a message. Returns its focusable element. */
function showMessage(panel: HTMLElement, words: string, further: Node[] = []): HTMLElement {
  const text = createElement('span', { tabindex: '-1', class: 'contextual-feedback-words' }, words)
  replaceContent(panel, [createElement('p', { class: 'contextual-feedback-thanks' }, text, ...further)])
  announce(words)
  return text
}

function findThumbs(toolbar: HTMLElement) {
  return {
    up: findElement<HTMLButtonElement>('#feedback-thumbs-up', toolbar),
    down: findElement<HTMLButtonElement>('#feedback-thumbs-down', toolbar),
  }
}

function createAction(label: string, act: () => void): HTMLButtonElement {
  const button = createElement('button', { type: 'button', class: 'feedback-action' }, label)
  button.addEventListener('click', act)
  return button
}

/**
 * Removes the undo button shortly before the feedback is sent, and on pagehide, as the page may be restored from
 * cache.
 */
function expireUndo(undo: HTMLElement): void {
  setTimeout(() => undo.remove(), UNDO_TIMEOUT_MS - 500)
  addEventListener('pagehide', () => undo.remove(), { once: true })
}

type FormAnswers = Partial<Pick<FeedbackBody, 'reason' | 'comment' | 'contact'>> & { website?: string }

function createForm(
  labels: FeedbackLabels,
  { helpful }: Vote,
  act: { send(words: FormAnswers): void; leave(): void },
): HTMLFormElement {
  const { input: comment, count } = createTextArea('feedback-form-input', labels.left)
  const { email, error } = emailField()
  const honeypot = createHoneypotField()
  const form = createElement(
    'form',
    { id: 'feedback-form', class: 'contextual-feedback-form', novalidate: '' },
    reasonChoices(labels, helpful),
    createElement('label', { for: comment.id }, labels.comment),
    comment,
    count,
    createElement('label', { for: email.id }, labels.email),
    email,
    error,
    honeypot,
    formActions(labels, act.leave),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const contact = readText(email)
    if (contact !== '' && !isEmail(contact)) return setError(email, error, labels.emailFault)
    const reason = findElement<HTMLInputElement>('input[name=reason]:checked', form)?.value ?? ''
    const answers = Object.entries({ reason, comment: readText(comment), contact }).filter(
      ([, text]) => text !== '',
    )
    if (answers.length === 0) return act.leave()
    act.send({ ...Object.fromEntries(answers), ...(honeypot.value !== '' && { website: honeypot.value }) })
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) act.leave()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  return form
}

function reasonChoices(labels: FeedbackLabels, helpful: boolean): HTMLElement {
  const reasons = (helpful ? labels.yes : labels.no).map(([value, label]) =>
    createElement(
      'label',
      { class: 'contextual-feedback-reason' },
      createElement('input', { type: 'radio', name: 'reason', value }),
      createElement('span', {}, label),
    ),
  )
  return createElement(
    'fieldset',
    { class: 'contextual-feedback-reasons' },
    createElement('legend', {}, helpful ? labels.helped : labels.missed),
    createElement('div', { class: 'contextual-feedback-choices' }, ...reasons),
  )
}

function emailField() {
  const email = createElement('input', {
    type: 'email',
    id: 'feedback-form-email',
    class: 'feedback-input',
    autocomplete: 'email',
    'aria-describedby': 'feedback-form-email-fault',
  })
  const error = createErrorElement('feedback-form-email-fault')
  email.addEventListener('input', () => {
    if (!error.hidden) setError(email, error, '')
  })
  return { email, error }
}

function formActions(labels: FeedbackLabels, leave: () => void): HTMLElement {
  const cancel = createElement(
    'button',
    { type: 'button', id: 'feedback-form-cancel', class: 'feedback-action' },
    labels.cancel,
  )
  cancel.addEventListener('click', leave)
  const submit = createElement('button', { id: 'feedback-form-submit', class: 'button' }, labels.send)
  return createElement('div', { class: 'feedback-actions' }, submit, cancel)
}

function replaceContent(panel: HTMLElement, content: Node[]): void {
  const before = panel.offsetHeight
  panel.replaceChildren(...content)
  const after = panel.offsetHeight
  if (before === after || !isMotionAllowed()) return
  panel.animate([{ height: `${before}px` }, { height: `${after}px` }], {
    duration: 200,
    easing: 'cubic-bezier(0.2, 0, 0, 1)',
  })
}

function isMotionAllowed(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches
}
