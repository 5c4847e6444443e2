/** Links and cards. */
import type { ComponentChildren } from 'preact'
import { textOf } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  iconElement,
  isBlank,
  ownIcon,
  readClass,
  readFlag,
  readNonBlankText,
  readNumber,
  readStyle,
  toMarkup,
  toPlainText,
} from './author-props.tsx'
import { CALLOUTS, isCalloutKind } from './callout-kinds.ts'

export function isExternal(href: string | null): boolean {
  return href !== null && /^(?:https?:)?\/\//i.test(href)
}

/** Returns the attributes that open external links in a new tab. */
export function outward(href: string | null): { target?: string; rel?: string } {
  return isExternal(href) ? { target: '_blank', rel: 'noreferrer' } : {}
}

export function A(props: AuthorProps) {
  const { children, className, class: plainClass, ...rest } = props
  return (
    <a {...rest} class={classes('link', className, plainClass)}>
      {children}
    </a>
  )
}

/**
 * Renders a card, whose title link covers the whole card. An `<a>` around the card would make links in its
 * content invalid.
 */
export function Card(props: AuthorProps) {
  const href = readNonBlankText(props.href)
  const kind = isCalloutKind(props.type) ? props.type : null
  const color = readNonBlankText(props.color)
  const isHorizontal = readFlag(props.horizontal)
  const hasArrow = href !== null && readFlag(props.arrow, isExternal(href))
  const icon =
    iconElement(props, { size: 20, color, className: 'card-icon' }) ??
    (kind ? ownIcon(CALLOUTS[kind].icon, { size: 20, className: 'card-icon' }) : null)
  const image = readNonBlankText(props.img)
  const title = toMarkup(props.title, false)
  const label = toPlainText(props.title) || textOf(props.children).trim() || href || ''
  const isDisabled = readFlag(props.disabled)
  return (
    <div
      class={classes('card', kind && `callout-${kind}`, readClass(props))}
      style={readStyle(props.style)}
      id={readNonBlankText(props.id) ?? undefined}
      data-horizontal={isHorizontal || undefined}
      data-linked={(href !== null && !isDisabled) || undefined}
      data-disabled={isDisabled || undefined}
    >
      {image && <img class="card-image" src={image} alt="" loading="lazy" data-no-zoom />}
      <div class="card-inner">
        {icon}
        <div class="card-text">
          {title ? (
            <div class="card-title">
              <CardLink href={isDisabled ? null : href} label={null}>
                {title}
              </CardLink>
              {hasArrow && ownIcon('arrow-up-right', { className: 'card-arrow' })}
            </div>
          ) : (
            href !== null && <CardLink href={href} label={label} />
          )}
          {readNonBlankText(props.description) && (
            <div class="card-content">{toMarkup(props.description, false)}</div>
          )}
          {!isBlank(props.children) && <div class="card-content">{props.children}</div>}
          {readNonBlankText(props.cta) && (
            <div class="card-cta">
              {readNonBlankText(props.cta)}
              {ownIcon('arrow-right')}
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

export function Columns(props: AuthorProps) {
  const cols = Math.max(1, Math.min(4, Math.round(readNumber(props.cols) ?? 2)))
  return (
    <div
      class={classes('columns card-group', readClass(props))}
      data-cols={cols}
      style={readStyle(props.style)}
    >
      {props.children}
    </div>
  )
}

export function Column(props: AuthorProps) {
  return <div class={classes('column', readClass(props))}>{props.children}</div>
}

export function Tile(props: AuthorProps) {
  const href = readNonBlankText(props.href)
  return (
    <div class={classes('tile card', readClass(props))} data-linked={href !== null || undefined}>
      <div class="tile-preview">{props.children}</div>
      <div class="tile-text">
        <div class="card-title">
          <CardLink href={href} label={toPlainText(props.title) ? null : href}>
            {toMarkup(props.title, false)}
          </CardLink>
        </div>
        {readNonBlankText(props.description) && (
          <div class="card-content">{toMarkup(props.description, false)}</div>
        )}
      </div>
    </div>
  )
}

export function GitHubRepo(props: AuthorProps) {
  const name = (readNonBlankText(props.repo) ?? '')
    .replace(/^https?:\/\/github\.com\//i, '')
    .replace(/(?:\.git)?\/?$/, '')
  return (
    <div
      class={classes('card github-repo', readClass(props))}
      data-variant={readNonBlankText(props.variant) ?? 'inset'}
      data-linked
      data-horizontal
    >
      <div class="card-inner">
        {iconElement(
          { icon: 'github', iconType: 'brands', iconLibrary: 'fontawesome' },
          { size: 20, className: 'card-icon' },
        )}
        <div class="card-text">
          <div class="card-title">
            <CardLink href={`https://github.com/${name}`} label={null}>
              {name}
            </CardLink>
            {ownIcon('arrow-up-right', { className: 'card-arrow' })}
          </div>
        </div>
      </div>
    </div>
  )
}

function CardLink(props: { href: string | null; label: string | null; children?: ComponentChildren }) {
  if (props.href === null) return <>{props.children}</>
  return (
    <a class="card-link" href={props.href} aria-label={props.label ?? undefined} {...outward(props.href)}>
      {props.children}
    </a>
  )
}
