/**
 * The vote at the end of a page and its form.
 *
 *   asking ──vote──▶ open ──send──▶ thanked ──undo, for a while──▶ asking
 *                     └──cancel──▶ thanked for the vote only ──add a comment──▶ open
 *
 * The vote is sent immediately; the form's content is added to it with the same id.
 */
import { announce, make, one } from './dom.ts'
import { faultPlace, isEmail, setFault, textArea, textOf, trapField } from './feedback-fields.ts'
import type { FeedbackLabels } from './feedback-labels.ts'
import type { Said } from './feedback-queue.ts'
import { newId, recallVote, rememberVote, type Vote } from './feedback-votes.ts'

export interface PageFeedback {
  labels: FeedbackLabels
  /** URL of the site, and path of the page in it. */
  site: string
  path: string
  say(body: Said, options?: { holdMs?: number }): void
  withdraw(id: string): void
  /** Content after the thanks: where the entry is stored, and how to export it. */
  keptNote(): Node[]
}

/** How long a submitted form can be undone before it is sent, in ms. */
const UNDO_FOR = 10_000

export function pageFeedback(toolbar: HTMLElement, parts: PageFeedback): void {
  const { labels, site, path } = parts
  const thumbs = thumbsOf(toolbar)
  if (!thumbs.up || !thumbs.down) return
  const panel = make('div', { class: 'contextual-feedback' })
  toolbar.append(panel)
  let vote = recallVote(site, path)
  showVote()

  function showVote(): void {
    thumbs.up?.setAttribute('aria-pressed', String(vote?.helpful === true))
    thumbs.down?.setAttribute('aria-pressed', String(vote?.helpful === false))
  }

  function choose(helpful: boolean): void {
    const isNew = vote?.helpful !== helpful
    vote = { id: vote?.id ?? newId(), helpful }
    rememberVote(site, path, vote)
    showVote()
    if (isNew) parts.say({ id: vote.id, path, helpful })
    openForm(vote)
  }

  function openForm(given: Vote): void {
    const form = createForm(labels, given, {
      send: (words) => {
        parts.say({ id: given.id, path, helpful: given.helpful, ...words }, { holdMs: UNDO_FOR })
        thank(given, true)
      },
      leave: () => thank(given, false),
    })
    swap(panel, [form])
    one<HTMLInputElement>('input', form)?.focus({ preventScroll: true })
    form.scrollIntoView({ block: 'nearest', behavior: moves() ? 'smooth' : 'auto' })
  }

  /** `isWhole`: the vote has a comment, which can only be undone until it is sent. */
  function thank(given: Vote, isWhole: boolean): void {
    const undo = action(labels.undo, () => takeBack(given))
    const more = isWhole ? [] : [action(labels.more, () => openForm(given))]
    tell(panel, labels.thanks, [...parts.keptNote(), undo, ...more]).focus({ preventScroll: true })
    if (isWhole) endUndo(undo)
  }

  function takeBack(given: Vote): void {
    parts.withdraw(given.id)
    vote = null
    rememberVote(site, path, null)
    showVote()
    tell(panel, labels.undone)
    thumbs[given.helpful ? 'up' : 'down']?.focus({ preventScroll: true })
  }

  thumbs.up.addEventListener('click', () => choose(true))
  thumbs.down.addEventListener('click', () => choose(false))
}

/** Shows and announces a message. Returns its focusable element. */
function tell(panel: HTMLElement, words: string, further: Node[] = []): HTMLElement {
  const text = make('span', { tabindex: '-1', class: 'contextual-feedback-words' }, words)
  swap(panel, [make('p', { class: 'contextual-feedback-thanks' }, text, ...further)])
  announce(words)
  return text
}

function thumbsOf(toolbar: HTMLElement) {
  return {
    up: one<HTMLButtonElement>('#feedback-thumbs-up', toolbar),
    down: one<HTMLButtonElement>('#feedback-thumbs-down', toolbar),
  }
}

function action(label: string, act: () => void): HTMLButtonElement {
  const button = make('button', { type: 'button', class: 'feedback-action' }, label)
  button.addEventListener('click', act)
  return button
}

/**
 * Removes the undo button shortly before the feedback is sent, and on pagehide, as the page may be restored from
 * cache.
 */
function endUndo(undo: HTMLElement): void {
  setTimeout(() => undo.remove(), UNDO_FOR - 500)
  addEventListener('pagehide', () => undo.remove(), { once: true })
}

type Words = Partial<Pick<Said, 'reason' | 'comment' | 'contact'>> & { website?: string }

function createForm(
  labels: FeedbackLabels,
  { helpful }: Vote,
  act: { send(words: Words): void; leave(): void },
): HTMLFormElement {
  const { input: comment, count } = textArea('feedback-form-input', labels.left)
  const { email, fault } = emailField()
  const trap = trapField()
  const form = make(
    'form',
    { id: 'feedback-form', class: 'contextual-feedback-form', novalidate: '' },
    reasonChoices(labels, helpful),
    make('label', { for: comment.id }, labels.comment),
    comment,
    count,
    make('label', { for: email.id }, labels.email),
    email,
    fault,
    trap,
    formActions(labels, act.leave),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const contact = textOf(email)
    if (contact !== '' && !isEmail(contact)) return setFault(email, fault, labels.emailFault)
    const reason = one<HTMLInputElement>('input[name=reason]:checked', form)?.value ?? ''
    const said = Object.entries({ reason, comment: textOf(comment), contact }).filter(
      ([, text]) => text !== '',
    )
    if (said.length === 0) return act.leave()
    act.send({ ...Object.fromEntries(said), ...(trap.value !== '' && { website: trap.value }) })
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing) act.leave()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  return form
}

function reasonChoices(labels: FeedbackLabels, helpful: boolean): HTMLElement {
  const reasons = (helpful ? labels.yes : labels.no).map(([value, label]) =>
    make(
      'label',
      { class: 'contextual-feedback-reason' },
      make('input', { type: 'radio', name: 'reason', value }),
      make('span', {}, label),
    ),
  )
  return make(
    'fieldset',
    { class: 'contextual-feedback-reasons' },
    make('legend', {}, helpful ? labels.helped : labels.missed),
    make('div', { class: 'contextual-feedback-choices' }, ...reasons),
  )
}

/** Email field; typing clears its error. */
function emailField() {
  const email = make('input', {
    type: 'email',
    id: 'feedback-form-email',
    class: 'feedback-input',
    autocomplete: 'email',
    'aria-describedby': 'feedback-form-email-fault',
  })
  const fault = faultPlace('feedback-form-email-fault')
  email.addEventListener('input', () => {
    if (!fault.hidden) setFault(email, fault, '')
  })
  return { email, fault }
}

function formActions(labels: FeedbackLabels, leave: () => void): HTMLElement {
  const cancel = make(
    'button',
    { type: 'button', id: 'feedback-form-cancel', class: 'feedback-action' },
    labels.cancel,
  )
  cancel.addEventListener('click', leave)
  const submit = make('button', { id: 'feedback-form-submit', class: 'button' }, labels.send)
  return make('div', { class: 'feedback-actions' }, submit, cancel)
}

/** Replaces the content and animates the height. */
function swap(panel: HTMLElement, content: Node[]): void {
  const before = panel.offsetHeight
  panel.replaceChildren(...content)
  const after = panel.offsetHeight
  if (before === after || !moves()) return
  panel.animate([{ height: `${before}px` }, { height: `${after}px` }], {
    duration: 200,
    easing: 'cubic-bezier(0.2, 0, 0, 1)',
  })
}

function moves(): boolean {
  return !matchMedia('(prefers-reduced-motion: reduce)').matches
}
