/** Headings, with an id, an entry in the table of contents, and a link to themselves. */
import { type ComponentChildren, isValidElement, toChildArray } from 'preact'
import { pageScope, textOf } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import { classes, readFlag, readNonBlankText, readNumber } from './author-props.tsx'
import { Badge } from './small-parts.tsx'

export const H1 = heading(1)
export const H2 = heading(2)
export const H3 = heading(3)
export const H4 = heading(4)
export const H5 = heading(5)
export const H6 = heading(6)

const LEVELS = [H1, H2, H3, H4, H5, H6] as const

export function Heading(props: AuthorProps) {
  const { level, ...rest } = props
  const index = Math.max(1, Math.min(6, Math.round(readNumber(level) ?? 2))) - 1
  const Level = LEVELS[index] ?? H2
  return <Level {...rest} />
}

function heading(level: number) {
  const Tag = `h${level}` as 'h1'
  return function PageHeading(props: AuthorProps) {
    const { children, id: givenId, noAnchor, className, class: plainClass, ...rest } = props
    const text = textOf(children).trim()
    const own = readNonBlankText(givenId)
    const id =
      text === '' && own === null
        ? null
        : pageScope().heading({ text: text || (own ?? ''), level, ...(own === null ? {} : { id: own }) })
    const headingText = textOf(withoutBadges(children)).trim() || text
    const aliases =
      id === null || own !== null || level === 1 ? [] : pageScope().headingAliases(headingText, id)
    const hasAnchor = id !== null && level > 1 && pageScope().hasAnchors && !readFlag(noAnchor)
    return (
      <Tag {...rest} id={id ?? undefined} class={classes(className, plainClass) || undefined}>
        {aliases.map((alias) => (
          <span class="other-anchor" id={alias} />
        ))}
        {children}
        {hasAnchor && <a class="heading-anchor" href={`#${id}`} aria-label={pageScope().text('permalink')} />}
      </Tag>
    )
  }
}

/** Removes badges from the text used for the id: `### Sums <Badge>Beta</Badge>` results in `#sums`. */
function withoutBadges(children: ComponentChildren): ComponentChildren {
  return toChildArray(children).map((child) => {
    if (!isValidElement(child)) return child
    return child.type === Badge ? '' : withoutBadges((child.props as AuthorProps).children)
  })
}
