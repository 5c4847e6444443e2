/** Images, video, iframes and other elements of Markdown and HTML. */
import type { ComponentChildren } from 'preact'
import { cloneElement, isValidElement, toChildArray } from 'preact'
import { pageScope } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  ownIcon,
  readClass,
  readFlag,
  readList,
  readNonBlankText,
  readStyle,
  toMarkup,
  toPlainText,
} from './author-props.tsx'

export function Img(props: AuthorProps) {
  const { noZoom, zoom, actions, actionsPlacement, ...rest } = props
  const isStill = readFlag(noZoom) || zoom === false || zoom === 'false'
  return (
    <img
      loading="lazy"
      decoding="async"
      {...rest}
      alt={readNonBlankText(props.alt) ?? ''}
      data-no-zoom={isStill || undefined}
      data-actions={readActions(actions) ?? undefined}
      data-placement={readNonBlankText(actionsPlacement) ?? undefined}
    />
  )
}

/** Parses `true`, `copy` or `copy,download`. Returns null if there are no actions. */
function readActions(value: unknown): string | null {
  if (value === true || value === 'true' || value === '') return 'copy,download'
  const chosenActions = readList(value).filter((name) => name === 'copy' || name === 'download')
  return chosenActions.length === 0 ? null : chosenActions.join(',')
}

/** Renders a video. Autoplay turns on `loop`, `muted` and `playsInline` by default, because browsers restrict it. */
export function Video(props: AuthorProps) {
  const { children, autoPlay, ...rest } = props
  const plays = readFlag(autoPlay ?? props.autoplay)
  const { controls, loop, muted, playsInline, ...other } = rest
  return (
    <video
      preload="metadata"
      {...other}
      autoPlay={plays}
      controls={readFlag(controls)}
      loop={readFlag(loop, plays)}
      muted={readFlag(muted, plays)}
      playsInline={readFlag(playsInline, plays)}
    >
      {children}
    </video>
  )
}

/** Values of the obsolete attribute `frameborder` that remove the border. */
const NO_BORDER_VALUES = new Set<unknown>(['0', 0, 'no', 'none', false])
const SIZE_VALUE = /^\d{1,5}(?:\.\d{1,3})?(?:%|px|em|rem|vw|vh)$/

/** Renders an iframe. Sizes such as `100%` become styles, because the attributes must be integers. */
export function Iframe(props: AuthorProps) {
  const { children, frameBorder, frameborder = frameBorder, ...iframeProps } = props
  const rest: Record<string, unknown> = iframeProps
  const own = readStyle(rest.style)
  const styles: Record<string, string | number> = {}
  if (typeof own !== 'string') {
    for (const side of ['width', 'height'] as const) {
      const value = readNonBlankText(rest[side])
      if (value === null || !SIZE_VALUE.test(value)) continue
      styles[side] = value
      delete rest[side]
    }
    if (NO_BORDER_VALUES.has(frameborder)) styles.border = '0'
  }
  const isOurs = Object.keys(styles).length > 0
  return (
    <iframe
      loading="lazy"
      {...rest}
      frameborder={styles.border === undefined ? (readNonBlankText(frameborder) ?? undefined) : undefined}
      style={isOurs ? Object.assign(styles, own) : own}
      title={readNonBlankText(props.title) ?? pageScope().text('embedded')}
    >
      {children}
    </iframe>
  )
}

export function Frame(props: AuthorProps) {
  const hint = toMarkup(props.hint)
  const caption = toMarkup(props.caption)
  return (
    <figure class={classes('frame', readClass(props))} style={readStyle(props.style)}>
      {hint && (
        <div class="frame-hint">
          {ownIcon('lightbulb')}
          <span>{hint}</span>
        </div>
      )}
      <div class="frame-content">{withoutParagraph(props.children)}</div>
      {caption && <figcaption class="frame-caption">{caption}</figcaption>}
    </figure>
  )
}

/** Removes the paragraph that Markdown creates around an image on a separate line. */
function withoutParagraph(children: ComponentChildren): ComponentChildren {
  return toChildArray(children).map((child) => {
    if (!isValidElement(child) || child.type !== 'p') return child
    const inner = toChildArray((child.props as AuthorProps).children)
    return inner.every((node) => typeof node !== 'string' || node.trim() === '')
      ? inner
      : cloneElement(child, { class: 'frame-text' })
  })
}

/** Maximum number of columns that fit the width of the text, unless long words require more space. */
const MAX_FITTING_COLUMNS = 5
/** Width of the text in characters. CELL_PADDING_CHARACTERS is the padding of a column in characters. */
const MAX_FITTING_CHARACTERS = 80
const CELL_PADDING_CHARACTERS = 4

/** Renders a table. It may scroll, so it is focusable for readers without a pointer. */
export function Table(props: AuthorProps) {
  const { children, ...rest } = props
  const columns = measureColumns(children)
  const isFitting =
    columns.length <= MAX_FITTING_COLUMNS &&
    columns.reduce((sum, length) => sum + length + CELL_PADDING_CHARACTERS, 0) <= MAX_FITTING_CHARACTERS
  const style = Object.fromEntries(
    columns.flatMap((length, index) => (length >= SHORT_WORD ? [[`--word-${index + 1}`, length]] : [])),
  )
  return (
    <div
      class="table-wrap"
      tabindex={0}
      data-fits={isFitting || undefined}
      style={isFitting && Object.keys(style).length > 0 ? style : undefined}
    >
      <table {...rest}>{children}</table>
    </div>
  )
}

/** Shorter words fit in any column. Words longer than LONG_WORD, such as URLs, are broken. */
const SHORT_WORD = 5
const LONG_WORD = 28

/** Returns, for each column, the length of the longest word that should not be broken. */
function measureColumns(children: ComponentChildren, longest: number[] = []): number[] {
  for (const child of toChildArray(children)) {
    if (!isValidElement(child)) continue
    const inner = (child.props as AuthorProps).children
    if (child.type === 'thead' || child.type === 'tbody') measureColumns(inner, longest)
    if (child.type !== 'tr') continue
    const cells = toChildArray(inner).filter((cell) => isValidElement(cell))
    for (const [index, cell] of cells.entries()) {
      const lengths = toPlainText(cell)
        .split(/\s+/)
        .map((word) => word.length)
        .filter((length) => length <= LONG_WORD)
      longest[index] = Math.max(longest[index] ?? 0, ...lengths)
    }
  }
  return longest
}

export function Pre(props: AuthorProps) {
  const { children, ...rest } = props
  return (
    <pre tabindex={0} {...rest}>
      {children}
    </pre>
  )
}

/** Renders an input. Check boxes of task lists are read-only. */
export function Input(props: AuthorProps) {
  const { children: _, ...rest } = props
  return props.type === 'checkbox' ? (
    <input {...rest} class={classes('task', readClass(props))} checked={readFlag(props.checked)} />
  ) : (
    <input {...rest} />
  )
}
