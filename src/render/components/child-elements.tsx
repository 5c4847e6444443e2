/** Inspects children: components such as tabs need their content before they render it. */
import type { ComponentChildren, VNode } from 'preact'
import { Fragment, isValidElement } from 'preact'
import type { AuthorProps } from './author-props.tsx'

/** `wanted` elements are those the parent looks for; everything else remains content. */
export type Child =
  | { kind: 'wanted'; element: VNode<AuthorProps> }
  | { kind: 'content'; content: ComponentChildren }

/**
 * Returns the children without fragments, arrays and white space between tags. Snippets are expanded, so that they
 * can contain tabs or code for the surrounding group.
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

/** Returns the output of an MDX content function; null for tags and for all other components. */
function expand(element: VNode<AuthorProps>): ComponentChildren | null {
  const { type } = element
  if (typeof type !== 'function' || !/mdx/i.test(type.name)) return null
  try {
    return (type as (props: AuthorProps) => ComponentChildren)(element.props)
  } catch {
    return null // rendered in place, where its error is caught
  }
}

/** Unwraps inline content: text on a separate line between two tags is a paragraph in Markdown. */
export function inlineContent(children: ComponentChildren): ComponentChildren {
  const [only, ...more] = childElements(children, (type) => type === 'p')
  return only?.kind === 'wanted' && more.length === 0 ? only.element.props.children : children
}
