/** Inspects children, because components such as tabs depend on the content of their children. */
import type { ComponentChildren, VNode } from 'preact'
import { Fragment, isValidElement } from 'preact'
import type { AuthorProps } from './author-props.tsx'

/** `wanted` elements match the condition of the parent. All other children are content. */
export type Child =
  | { kind: 'wanted'; element: VNode<AuthorProps> }
  | { kind: 'content'; content: ComponentChildren }

/**
 * Returns the children without fragments, arrays and white space between tags. Expands snippets, so that they
 * may contain children for the enclosing component, such as tabs.
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

/** Returns the output of an MDX content function, or null for all other elements. */
function expand(element: VNode<AuthorProps>): ComponentChildren | null {
  const { type } = element
  if (typeof type !== 'function' || !/mdx/i.test(type.name)) return null
  try {
    return (type as (props: AuthorProps) => ComponentChildren)(element.props)
  } catch {
    return null // its error is handled when the element is rendered
  }
}

/** Unwraps the paragraph that Markdown creates for text on a separate line between tags. */
export function inlineContent(children: ComponentChildren): ComponentChildren {
  const [only, ...more] = childElements(children, (type) => type === 'p')
  return only?.kind === 'wanted' && more.length === 0 ? only.element.props.children : children
}
