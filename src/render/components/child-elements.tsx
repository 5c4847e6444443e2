/** Looking at children: components such as tabs must know what they hold before they draw it. */
import type { ComponentChildren, VNode } from 'preact'
import { Fragment, isValidElement } from 'preact'
import type { AuthorProps } from './author-props.tsx'

/** `wanted` ones are what the parent asks for; everything else is kept as content. */
export type Child =
  | { kind: 'wanted'; element: VNode<AuthorProps> }
  | { kind: 'content'; content: ComponentChildren }

/**
 * Children without fragments, arrays and the white space between tags. Content of a snippet is looked into, so that
 * a snippet can hold tabs or code for the group around it.
 */
export function childElements(children: ComponentChildren, isWanted: (type: unknown) => boolean): Child[] {
  const found: Child[] = []
  collect(children, isWanted, found, 0)
  return found
}

function collect(
  children: ComponentChildren,
  isWanted: (type: unknown) => boolean,
  found: Child[],
  depth: number,
) {
  if (Array.isArray(children)) {
    for (const child of children) collect(child, isWanted, found, depth)
    return
  }
  if (!isValidElement(children)) {
    if (typeof children === 'string' && children.trim() === '') return
    if (children === null || children === undefined || typeof children === 'boolean') return
    found.push({ kind: 'content', content: children })
    return
  }
  const element = children as VNode<AuthorProps>
  if (isWanted(element.type)) {
    found.push({ kind: 'wanted', element })
    return
  }
  if (element.type === Fragment) {
    collect(element.props.children, isWanted, found, depth)
    return
  }
  const expanded = depth < 4 ? expand(element) : null
  if (expanded === null) {
    found.push({ kind: 'content', content: element })
    return
  }
  const inner: Child[] = []
  collect(expanded, isWanted, inner, depth + 1)
  if (inner.some((child) => child.kind === 'wanted')) found.push(...inner)
  else found.push({ kind: 'content', content: expanded })
}

/** What a content function returns; null for tags, theme components and for components with a state of their own. */
function expand(element: VNode<AuthorProps>): ComponentChildren | null {
  const { type } = element
  if (typeof type !== 'function' || !/mdx/i.test(type.name)) return null
  try {
    return (type as (props: AuthorProps) => ComponentChildren)(element.props)
  } catch {
    return null // drawn in place, where its own failure is caught
  }
}

/** What stands in a line: words on a line of their own between two tags are a paragraph to Markdown. */
export function inlineContent(children: ComponentChildren): ComponentChildren {
  const [only, ...more] = childElements(children, (type) => type === 'p')
  return only?.kind === 'wanted' && more.length === 0 ? only.element.props.children : children
}
