/** Renders a question and its answer, with a source link for each statement. */
import { announce, linkedFile, make, one } from '../dom.ts'
import { type Turn, textOf } from './conversation.ts'
import { markdownNodes } from './safe-markdown.ts'
import { word } from './words.ts'

export interface TurnActions {
  /** Null when the question cannot be asked again. */
  retry: (() => void) | null
  rate(helpful: boolean | null): void
}

type Place = { path: string; anchor: string | null; title: string; heading: string }

/** Maximum length of the quoted text in a link, because browsers must match it exactly. */
const FRAGMENT_CHARACTERS = 120

export function drawTurn(turn: Turn, actions: TurnActions): HTMLElement {
  const about = turn.selection === null ? [] : [make('q', {}, turn.selection.slice(0, 160))]
  const question = make('div', { class: 'ask-question' }, ...about, make('p', {}, turn.question))
  return make(
    'section',
    {
      class: 'ask-turn',
      'aria-label': turn.question.slice(0, 80),
      'aria-busy': String(turn.state === 'asking'),
    },
    question,
    ...turn.claims.map(drawClaim),
    ...drawState(turn),
    ...(turn.state === 'asking' ? [] : [drawActions(turn, actions)]),
  )
}

function drawClaim({ text, source }: Turn['claims'][number], index: number): HTMLElement {
  const label = [source.title, source.heading].filter(Boolean).join(' › ')
  const link = make(
    'a',
    { href: addressOf(source, source.quote), class: 'ask-source', title: `“${source.quote}”` },
    make('span', { class: 'visually-hidden' }, `${word('askSource')} `),
    `${index + 1}. ${label}`,
  )
  return make('div', { class: 'ask-claim' }, ...markdownNodes(text), link)
}

function drawState(turn: Turn): HTMLElement[] {
  const line = (text: string) => make('p', { class: 'ask-state' }, text)
  if (turn.state === 'asking') return turn.claims.length === 0 ? [line(word('askWaiting'))] : []
  if (turn.state === 'stopped') return [line(word('askStopped'))]
  if (turn.state === 'failed') return [line(turn.error || word('askFailed'))]
  if (turn.claims.length > 0) return []
  const links = turn.nearest.map((place) =>
    make(
      'li',
      {},
      make('a', { href: addressOf(place) }, [place.title, place.heading].filter(Boolean).join(' › ')),
    ),
  )
  return [line(word('askUncovered')), make('ul', { class: 'ask-nearest' }, ...links)]
}

function drawActions(turn: Turn, { retry, rate }: TurnActions): HTMLElement {
  const buttons: HTMLElement[] = []
  const add = (label: string, act: () => void, isPressed: boolean | null = null) => {
    const button = make('button', { type: 'button', class: 'ask-plain' }, label)
    if (isPressed !== null) button.setAttribute('aria-pressed', String(isPressed))
    button.onclick = act
    buttons.push(button)
  }
  if (turn.claims.length > 0) add(word('askCopy'), () => void copy(turn))
  if (turn.state === 'done' && turn.id !== null) {
    const toggled = (helpful: boolean) => () => rate(turn.helpful === helpful ? null : helpful)
    add(word('askHelped'), toggled(true), turn.helpful === true)
    add(word('askNotHelped'), toggled(false), turn.helpful === false)
  }
  if (retry !== null) add(word('askRetry'), retry)
  return make('div', { class: 'ask-actions' }, ...buttons)
}

async function copy(turn: Turn): Promise<void> {
  const sources = turn.claims.map(
    ({ source }, index) => `${index + 1}. ${source.title}: ${addressOf(source)}`,
  )
  await navigator.clipboard.writeText(`${textOf(turn)}\n\n${sources.join('\n')}\n`)
  announce(word('askCopied'))
}

/** Returns the URL in the form of the deployment: bundles link to files. */
function addressOf({ path, anchor }: Pick<Place, 'path' | 'anchor'>, quote?: string): string {
  const style = linkedFile('assistant-style') ?? ''
  const root = style.slice(0, style.indexOf('/_octavo/') + 1)
  const route = path.split('/').map(encodeURIComponent).join('/').slice(1)
  const isFiles = one('.ask-button')?.dataset.links === 'files'
  const page = isFiles ? `${route === '' ? 'index' : route}.html` : route
  const text = quote === undefined ? '' : `:~:text=${fragmentOf(quote)}`
  const hash = `${anchor === null ? '' : encodeURIComponent(anchor)}${text}`
  return `${root}${page}${hash === '' ? '' : `#${hash}`}`
}

function fragmentOf(quote: string): string {
  const cut =
    quote.length <= FRAGMENT_CHARACTERS ? quote : quote.slice(0, quote.lastIndexOf(' ', FRAGMENT_CHARACTERS))
  return encodeURIComponent(cut).replaceAll('-', '%2D')
}
