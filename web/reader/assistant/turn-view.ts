/** Renders a question and its answer, with a source link for each statement. */
import { announce, createElement, findElement, linkedFile } from '../dom.ts'
import { answerText, type Turn } from './conversation.ts'
import { markdownNodes } from './safe-markdown.ts'
import { uiText } from './ui-text.ts'

export interface TurnActions {
  /** Null when the question cannot be asked again. */
  retry: (() => void) | null
  rate(helpful: boolean | null): void
}

type SourcePassage = { path: string; anchor: string | null; title: string; heading: string }

/** Maximum length of the quoted text in a link, because browsers must match it exactly. */
const MAX_FRAGMENT_CHARACTERS = 120

export function renderTurn(turn: Turn, actions: TurnActions): HTMLElement {
  const about = turn.selection === null ? [] : [createElement('q', {}, turn.selection.slice(0, 160))]
  const question = createElement(
    'div',
    { class: 'ask-question' },
    ...about,
    createElement('p', {}, turn.question),
  )
  return createElement(
    'section',
    {
      class: 'ask-turn',
      'aria-label': turn.question.slice(0, 80),
      'aria-busy': String(turn.state === 'asking'),
    },
    question,
    ...turn.claims.map(renderClaim),
    ...renderState(turn),
    ...(turn.state === 'asking' ? [] : [renderActions(turn, actions)]),
  )
}

function renderClaim({ text, source }: Turn['claims'][number], index: number): HTMLElement {
  const label = [source.title, source.heading].filter(Boolean).join(' › ')
  const link = createElement(
    'a',
    { href: buildPassageUrl(source, source.quote), class: 'ask-source', title: `“${source.quote}”` },
    createElement('span', { class: 'visually-hidden' }, `${uiText('askSource')} `),
    `${index + 1}. ${label}`,
  )
  return createElement('div', { class: 'ask-claim' }, ...markdownNodes(text), link)
}

function renderState(turn: Turn): HTMLElement[] {
  const line = (text: string) => createElement('p', { class: 'ask-state' }, text)
  if (turn.state === 'asking') return turn.claims.length === 0 ? [line(uiText('askWaiting'))] : []
  if (turn.state === 'stopped') return [line(uiText('askStopped'))]
  if (turn.state === 'failed') return [line(turn.error || uiText('askFailed'))]
  if (turn.claims.length > 0) return []
  const links = turn.nearest.map((passage) =>
    createElement(
      'li',
      {},
      createElement(
        'a',
        { href: buildPassageUrl(passage) },
        [passage.title, passage.heading].filter(Boolean).join(' › '),
      ),
    ),
  )
  return [line(uiText('askUncovered')), createElement('ul', { class: 'ask-nearest' }, ...links)]
}

function renderActions(turn: Turn, { retry, rate }: TurnActions): HTMLElement {
  const buttons: HTMLElement[] = []
  const add = (label: string, onPress: () => void, isPressed: boolean | null = null) => {
    const button = createElement('button', { type: 'button', class: 'ask-plain' }, label)
    if (isPressed !== null) button.setAttribute('aria-pressed', String(isPressed))
    button.onclick = onPress
    buttons.push(button)
  }
  if (turn.claims.length > 0) add(uiText('askCopy'), () => void copy(turn))
  if (turn.state === 'done' && turn.id !== null) {
    const toggled = (helpful: boolean) => () => rate(turn.helpful === helpful ? null : helpful)
    add(uiText('askHelped'), toggled(true), turn.helpful === true)
    add(uiText('askNotHelped'), toggled(false), turn.helpful === false)
  }
  if (retry !== null) add(uiText('askRetry'), retry)
  return createElement('div', { class: 'ask-actions' }, ...buttons)
}

async function copy(turn: Turn): Promise<void> {
  const sources = turn.claims.map(
    ({ source }, index) => `${index + 1}. ${source.title}: ${buildPassageUrl(source)}`,
  )
  await navigator.clipboard.writeText(`${answerText(turn)}\n\n${sources.join('\n')}\n`)
  announce(uiText('askCopied'))
}

/** Returns the URL of a passage; in bundles, it links to a file. */
function buildPassageUrl({ path, anchor }: Pick<SourcePassage, 'path' | 'anchor'>, quote?: string): string {
  const style = linkedFile('assistant-style') ?? ''
  const root = style.slice(0, style.indexOf('/_octavo/') + 1)
  const route = path.split('/').map(encodeURIComponent).join('/').slice(1)
  const isFiles = findElement('.ask-button')?.dataset.links === 'files'
  const page = isFiles ? `${route === '' ? 'index' : route}.html` : route
  const text = quote === undefined ? '' : `:~:text=${toTextFragment(quote)}`
  const hash = `${anchor === null ? '' : encodeURIComponent(anchor)}${text}`
  return `${root}${page}${hash === '' ? '' : `#${hash}`}`
}

function toTextFragment(quote: string): string {
  const cut =
    quote.length <= MAX_FRAGMENT_CHARACTERS
      ? quote
      : quote.slice(0, quote.lastIndexOf(' ', MAX_FRAGMENT_CHARACTERS))
  return encodeURIComponent(cut).replaceAll('-', '%2D')
}
