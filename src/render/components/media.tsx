/** Images, video, iframes and other elements from Markdown and HTML. */
import type { ComponentChildren } from 'preact'
import { cloneElement, isValidElement, toChildArray } from 'preact'
import { pageScope } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import { classes, classOf, flag, list, markup, ownIcon, plain, styleOf, words } from './author-props.tsx'

export function Img(props: AuthorProps) {
  const { noZoom, zoom, actions, actionsPlacement, ...rest } = props
  const isStill = flag(noZoom) || zoom === false || zoom === 'false'
  return (
    <img
      loading="lazy"
      decoding="async"
      {...rest}
      alt={words(props.alt) ?? ''}
      data-no-zoom={isStill || undefined}
      data-actions={actionsOf(actions) ?? undefined}
      data-placement={words(actionsPlacement) ?? undefined}
    />
  )
}

/** Accepts `true`, `copy`, `copy,download`; null if there are none. */
function actionsOf(value: unknown): string | null {
  if (value === true || value === 'true' || value === '') return 'copy,download'
  const wanted = list(value).filter((name) => name === 'copy' || name === 'download')
  return wanted.length === 0 ? null : wanted.join(',')
}

/** Browsers refuse autoplay without these three attributes. */
export function Video(props: AuthorProps) {
  const { children, autoPlay, ...rest } = props
  const plays = flag(autoPlay ?? props.autoplay)
  const { controls, loop, muted, playsInline, ...other } = rest
  return (
    <video
      preload="metadata"
      {...other}
      autoPlay={plays}
      controls={flag(controls)}
      loop={flag(loop, plays)}
      muted={flag(muted, plays)}
      playsInline={flag(playsInline, plays)}
    >
      {children}
    </video>
  )
}

/** `frameborder` is obsolete in HTML. */
const NO_BORDER = new Set<unknown>(['0', 0, 'no', 'none', false])
const SIDE = /^\d{1,5}(?:\.\d{1,3})?(?:%|px|em|rem|vw|vh)$/

/** Sizes in other units than pixels become styles: the attributes are integers, even if browsers accept `100%`. */
export function Iframe(props: AuthorProps) {
  const { children, frameBorder, frameborder = frameBorder, ...given } = props
  const rest: Record<string, unknown> = given
  const own = styleOf(rest.style)
  const styles: Record<string, string | number> = {}
  if (typeof own !== 'string') {
    for (const side of ['width', 'height'] as const) {
      const value = words(rest[side])
      if (value === null || !SIDE.test(value)) continue
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
      frameborder={styles.border === undefined ? (words(frameborder) ?? undefined) : undefined}
      style={isOurs ? Object.assign(styles, own) : own}
      title={words(props.title) ?? pageScope().text('embedded')}
    >
      {children}
    </iframe>
  )
}

export function Frame(props: AuthorProps) {
  const hint = markup(props.hint)
  const caption = markup(props.caption)
  return (
    <figure class={classes('frame', classOf(props))} style={styleOf(props.style)}>
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
const FITTING_COLUMNS = 5

/** Wide tables scroll, and on a phone any table may; they are focusable for readers without a pointer. */
export function Table(props: AuthorProps) {
  const { children, ...rest } = props
  const isFitting = columnsOf(children) <= FITTING_COLUMNS
  const names = isFitting ? longestName(children) : 0
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
function longestName(children: ComponentChildren): number {
  let longest = 0
  for (const child of toChildArray(children)) {
    if (!isValidElement(child)) continue
    const inner = (child.props as AuthorProps).children
    if (child.type === 'thead' || child.type === 'tbody') longest = Math.max(longest, longestName(inner))
    if (child.type !== 'tr') continue
    const first = toChildArray(inner).find((cell) => isValidElement(cell))
    for (const { length } of plain(first).split(/\s+/))
      if (length <= LONG_NAME) longest = Math.max(longest, length)
  }
  return longest
}

/** Counts the cells of the first row. */
function columnsOf(children: ComponentChildren): number {
  for (const child of toChildArray(children)) {
    if (!isValidElement(child)) continue
    const inner = (child.props as AuthorProps).children
    if (child.type === 'tr') return toChildArray(inner).filter((cell) => isValidElement(cell)).length
    const found = child.type === 'thead' || child.type === 'tbody' ? columnsOf(inner) : 0
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
    <input {...rest} class={classes('task', classOf(props))} checked={flag(props.checked)} />
  ) : (
    <input {...rest} />
  )
}
