/**
 * Small components: badges, tooltips, icons, changelog entries, colors, diagrams, formulas and visibility.
 */
import { Fragment } from 'preact'
import { safeHref } from '../html/inline-markup.ts'
import { pageScope, textOf } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  iconElement,
  readClass,
  readFlag,
  readList,
  readNonBlankText,
  readNumber,
  readStyle,
  toMarkup,
  toPlainText,
} from './author-props.tsx'
import { inlineContent } from './child-elements.tsx'
import { outward } from './links.tsx'

export function Icon(props: AuthorProps) {
  const look = {
    size: readNumber(props.size) ?? 16,
    color: readNonBlankText(props.color),
    className: classes('inline-icon', readClass(props)),
  }
  const icon = iconElement(readNonBlankText(props.src) === null ? props : { ...props, icon: props.src }, look)
  const style = readStyle(props.style)
  return icon !== null && style !== undefined ? <span style={style}>{icon}</span> : icon
}

export function Badge(props: AuthorProps) {
  const href = readNonBlankText(props.href)
  const attributes = {
    class: classes('badge', readClass(props)),
    'data-badge': true,
    'data-color': readNonBlankText(props.color) ?? 'gray',
    'data-size': readNonBlankText(props.size) ?? 'md',
    'data-shape': readNonBlankText(props.shape) ?? 'rounded',
    'data-stroke': readFlag(props.stroke) || props.variant === 'outline' || undefined,
    'data-disabled': readFlag(props.disabled) || undefined,
  }
  const content = (
    <>
      {iconElement(props.leadIcon === undefined ? props : { ...props, icon: props.leadIcon }, { size: 12 })}
      {inlineContent(props.children)}
      {props.tailIcon !== undefined && iconElement({ ...props, icon: props.tailIcon }, { size: 12 })}
    </>
  )
  if (href === null) return <span {...attributes}>{content}</span>
  return (
    <a {...attributes} href={safeHref(href)} {...outward(href)}>
      {content}
    </a>
  )
}

export function Tooltip(props: AuthorProps) {
  const id = pageScope().anchor(`tip-${textOf(props.children).slice(0, 40)}`)
  const href = readNonBlankText(props.href)
  const cta = readNonBlankText(props.cta)
  return (
    <span class={classes('tooltip', readClass(props))} data-side={readNonBlankText(props.side) ?? undefined}>
      <span class="tooltip-term" tabIndex={0} aria-describedby={id}>
        {inlineContent(props.children)}
      </span>
      <span class="tooltip-content" role="tooltip" id={id}>
        {readNonBlankText(props.headline) && (
          <strong class="tooltip-headline">{toMarkup(props.headline, false)}</strong>
        )}
        {toMarkup(props.tip)}
        {cta && href && (
          <a class="tooltip-cta" href={safeHref(href)} {...outward(href)}>
            {cta}
          </a>
        )}
      </span>
    </span>
  )
}

/** Renders a changelog entry. Its label is added to the table of contents. */
export function Update(props: AuthorProps) {
  const label = toPlainText(props.label)
  const id = pageScope().heading({ text: label, level: 2 })
  const tags = readList(props.tags)
  for (const tag of tags) pageScope().updateTag(tag)
  const rss = feedEntry(props.rss)
  // No accessible name, because several entries on the same day would be landmarks with the same name.
  return (
    <section
      class={classes('update', readClass(props))}
      id={id}
      data-tags={tags.length > 0 ? JSON.stringify(tags) : undefined}
      data-rss-title={rss?.title}
      data-rss-description={rss?.description}
    >
      <div class="update-side">
        <a class="update-label" href={`#${id}`}>
          {toMarkup(props.label, false)}
        </a>
        {tags.length > 0 && (
          <span class="update-tags">
            {tags.map((tag) => (
              <span class="update-tag" key={tag}>
                {tag}
              </span>
            ))}
          </span>
        )}
        {toPlainText(props.description) && (
          <span class="update-description">{toMarkup(props.description)}</span>
        )}
      </div>
      <div class="update-content">{props.children}</div>
    </section>
  )
}

/** Returns the title and description that replace the feed items created from headings; null if not set. */
function feedEntry(rss: unknown): { title?: string; description?: string } | null {
  if (typeof rss !== 'object' || rss === null) return null
  const { title, description } = rss as Record<string, unknown>
  return {
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  }
}

/** Renders a view. A script creates a menu above the page that selects one of the views. */
export function View(props: AuthorProps) {
  const title = toPlainText(props.title)
  return (
    <section class={classes('view multi-view-item', readClass(props))} data-view={title}>
      <div class="view-title">
        {iconElement(props)}
        {toMarkup(props.title)}
      </div>
      {props.children}
    </section>
  )
}

/**
 * Limits content to agents or people. The page omits content for agents, and the Markdown version omits content
 * for people.
 */
export function Visibility(props: AuthorProps) {
  const { isInIsland } = pageScope()
  if (props.for === 'agents') return isInIsland ? null : <o-agents>{props.children}</o-agents>
  if (props.for === 'humans' && !isInIsland) return <o-humans>{props.children}</o-humans>
  return <Fragment>{props.children}</Fragment>
}

export function Color(props: AuthorProps) {
  return (
    <div
      class={classes('color', readClass(props))}
      data-variant={readNonBlankText(props.variant) ?? 'compact'}
    >
      {props.children}
    </div>
  )
}

export function ColorRow(props: AuthorProps) {
  return (
    <div class="color-row">
      {toPlainText(props.title) && <div class="color-row-title">{toMarkup(props.title)}</div>}
      <div class="color-row-items">{props.children}</div>
    </div>
  )
}

export function ColorItem(props: AuthorProps) {
  const pair = props.value as { light?: unknown; dark?: unknown } | string | undefined
  const light = typeof pair === 'object' ? readNonBlankText(pair?.light) : readNonBlankText(pair)
  const dark = typeof pair === 'object' ? readNonBlankText(pair?.dark) : null
  const value = light ?? dark ?? ''
  return (
    <button
      type="button"
      class="color-item"
      data-copy={value}
      data-copy-dark={dark ?? undefined}
      style={{ '--swatch': value, '--swatch-dark': dark ?? value }}
    >
      <span class="color-swatch" aria-hidden="true" />
      {readNonBlankText(props.name) && <span class="color-name">{readNonBlankText(props.name)}</span>}
      <code class="color-value" data-mode={dark === null ? undefined : 'light'}>
        {value}
      </code>
      {dark !== null && (
        <code class="color-value" data-mode="dark">
          {dark}
        </code>
      )}
    </button>
  )
}

/** Renders the source of a diagram, which is visible until the diagram has been drawn. */
export function Mermaid(props: AuthorProps) {
  pageScope().usesMermaid()
  const chart = (readNonBlankText(props.chart) ?? textOf(props.children)).trim()
  return (
    <div
      class={classes('mermaid', readClass(props))}
      data-component-name="mermaid-container"
      data-placement={readNonBlankText(props.placement) ?? 'bottom-right'}
      data-actions={props.actions === undefined ? undefined : String(readFlag(props.actions))}
    >
      <pre class="mermaid-source" tabIndex={0}>
        {chart}
      </pre>
    </div>
  )
}

/** Renders TeX source, because KaTeX is not available to components. */
export function Latex(props: AuthorProps) {
  return <code class="latex">{props.children}</code>
}

export function Snippet(props: AuthorProps) {
  return <Fragment>{props.children}</Fragment>
}
