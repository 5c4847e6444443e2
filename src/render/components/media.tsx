/** Pictures, video, frames and what else Markdown and HTML bring along. */
import type { ComponentChildren } from 'preact'
import { cloneElement, isValidElement, toChildArray } from 'preact'
import { pageScope } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import { classes, classOf, flag, list, markup, ownIcon, styleOf, words } from './author-props.tsx'

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

/** `true`, `copy`, `copy,download`; null when there are none. */
function actionsOf(value: unknown): string | null {
  if (value === true || value === 'true' || value === '') return 'copy,download'
  const wanted = list(value).filter((name) => name === 'copy' || name === 'download')
  return wanted.length === 0 ? null : wanted.join(',')
}

/** Autoplay without these three is refused by browsers. */
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

export function Iframe(props: AuthorProps) {
  const { children, ...rest } = props
  return (
    <iframe loading="lazy" {...rest} title={words(props.title) ?? pageScope().text('embedded')}>
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

/** A picture on a line of its own is a paragraph in Markdown; in a frame it is just the picture. */
function withoutParagraph(children: ComponentChildren): ComponentChildren {
  return toChildArray(children).map((child) => {
    if (!isValidElement(child) || child.type !== 'p') return child
    const inner = toChildArray((child.props as AuthorProps).children)
    return inner.every((node) => typeof node !== 'string' || node.trim() === '')
      ? inner
      : cloneElement(child, { class: 'frame-text' })
  })
}

/** Tables up to this many columns get by with the width of the text. */
const FITTING_COLUMNS = 5

/** Wide tables scroll inside themselves, any of them on a phone; whoever has no pointer gets there by keys. */
export function Table(props: AuthorProps) {
  const { children, ...rest } = props
  return (
    <div class="table-wrap" tabindex={0} data-fits={columnsOf(children) <= FITTING_COLUMNS || undefined}>
      <table {...rest}>{children}</table>
    </div>
  )
}

/** Cells of the first row. */
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

/** Check boxes of task lists are there to be read. */
export function Input(props: AuthorProps) {
  const { children: _, ...rest } = props
  return props.type === 'checkbox' ? (
    <input {...rest} class={classes('task', classOf(props))} checked={flag(props.checked)} />
  ) : (
    <input {...rest} />
  )
}
