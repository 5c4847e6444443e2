/** Images, video, iframes and other elements from Markdown and HTML. */
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
  readStyle,
  readWords,
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
      alt={readWords(props.alt) ?? ''}
      data-no-zoom={isStill || undefined}
      data-actions={readActions(actions) ?? undefined}
      data-placement={readWords(actionsPlacement) ?? undefined}
    />
  )
}

/** Accepts `true`, `copy`, `copy,download`; null if there are none. */
function readActions(value: unknown): string | null {
  if (value === true || value === 'true' || value === '') return 'copy,download'
  const chosenActions = readList(value).filter((name) => name === 'copy' || name === 'download')
  return chosenActions.length === 0 ? null : chosenActions.join(',')
}

/** Browsers refuse autoplay without these three attributes. */
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

/** `frameborder` is obsolete in HTML. */
const NO_BORDER = new Set<unknown>(['0', 0, 'no', 'none', false])
const SIZE_VALUE = /^\d{1,5}(?:\.\d{1,3})?(?:%|px|em|rem|vw|vh)$/

/** Sizes in other units than pixels become styles: the attributes are integers, even if browsers accept `100%`. */
export function Iframe(props: AuthorProps) {
  const { children, frameBorder, frameborder = frameBorder, ...iframeProps } = props
  const rest: Record<string, unknown> = iframeProps
  const own = readStyle(rest.style)
  const styles: Record<string, string | number> = {}
  if (typeof own !== 'string') {
    for (const side of ['width', 'height'] as const) {
      const value = readWords(rest[side])
      if (value === null || !SIZE_VALUE.test(value)) continue
      styles[side] = value
      delete rest[side]
    }
    if (NO_BORDER.has(frameborder)) styles.border = '0'
  }
  const isOurs = Object.keys(styles).length > 0
  return (
    <iframe
      loading="lazy"
      {...rest}
      frameborder={styles.border === undefined ? (readWords(frameborder) ?? undefined) : undefined}
      style={isOurs ? Object.assign(styles, own) : own}
      title={readWords(props.title) ?? pageScope().text('embedded')}
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

/** Unwraps an image: on a separate line it is a paragraph in Markdown, but in a frame just the image is needed. */
function withoutParagraph(children: ComponentChildren): ComponentChildren {
  return toChildArray(children).map((child) => {
    if (!isValidElement(child) || child.type !== 'p') return child
    const inner = toChildArray((child.props as AuthorProps).children)
    return inner.every((node) => typeof node !== 'string' || node.trim() === '')
      ? inner
      : cloneElement(child, { class: 'frame-text' })
  })
}

/** Tables with up to this many columns fit the width of the text. */
const MAX_FITTING_COLUMNS = 5

/** Wide tables scroll, and on a phone any table may; they are focusable for readers without a pointer. */
export function Table(props: AuthorProps) {
  const { children, ...rest } = props
  const isFitting = countColumns(children) <= MAX_FITTING_COLUMNS
  const names = isFitting ? measureLongestName(children) : 0
  return (
    <div
      class="table-wrap"
      tabindex={0}
      data-fits={isFitting || undefined}
      style={names > SHORT_NAME ? { '--names': names } : undefined}
    >
      <table {...rest}>{children}</table>
    </div>
  )
}

/** Characters of a name that fits any first column, and of one that has to be broken anyway. */
const SHORT_NAME = 13
const LONG_NAME = 28

/** Length of the longest word in the first column that should stay on one line. */
function measureLongestName(children: ComponentChildren): number {
  let longest = 0
  for (const child of toChildArray(children)) {
    if (!isValidElement(child)) continue
    const inner = (child.props as AuthorProps).children
    if (child.type === 'thead' || child.type === 'tbody')
      longest = Math.max(longest, measureLongestName(inner))
    if (child.type !== 'tr') continue
    const first = toChildArray(inner).find((cell) => isValidElement(cell))
    for (const { length } of toPlainText(first).split(/\s+/))
      if (length <= LONG_NAME) longest = Math.max(longest, length)
  }
  return longest
}

/** Counts the cells of the first row. */
function countColumns(children: ComponentChildren): number {
  for (const child of toChildArray(children)) {
    if (!isValidElement(child)) continue
    const inner = (child.props as AuthorProps).children
    if (child.type === 'tr') return toChildArray(inner).filter((cell) => isValidElement(cell)).length
    const found = child.type === 'thead' || child.type === 'tbody' ? countColumns(inner) : 0
    if (found > 0) return found
  }
  return 0
}

export function Pre(props: AuthorProps) {
  const { children, ...rest } = props
  return (
    <pre tabindex={0} {...rest}>
      {children}
    </pre>
  )
}

/** Check boxes of task lists are read-only. */
export function Input(props: AuthorProps) {
  const { children: _, ...rest } = props
  return props.type === 'checkbox' ? (
    <input {...rest} class={classes('task', readClass(props))} checked={readFlag(props.checked)} />
  ) : (
    <input {...rest} />
  )
}
