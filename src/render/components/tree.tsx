/** File trees, from Tree.Folder and Tree.File or from a Markdown list. */
import type { ComponentChildren, VNode } from 'preact'
import { isValidElement, toChildArray } from 'preact'
import { textOf } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import { classes, ownIcon, readClass, readFlag, readNonBlankText, readStyle } from './author-props.tsx'

export function Tree(props: AuthorProps) {
  return (
    <div class={classes('tree', readClass(props))} style={readStyle(props.style)}>
      <ul>{toEntries(props.children)}</ul>
    </div>
  )
}

export function TreeFolder(props: AuthorProps) {
  return (
    <Folder
      name={readNonBlankText(props.name) ?? ''}
      isOpen={readFlag(props.defaultOpen)}
      isFixed={!readFlag(props.openable, true)}
      isHighlighted={readFlag(props.highlight)}
    >
      {toEntries(props.children)}
    </Folder>
  )
}

export function TreeFile(props: AuthorProps) {
  return (
    <li class="tree-file" data-highlight={readFlag(props.highlight) || undefined}>
      {ownIcon('file')}
      <span class="tree-name">{readNonBlankText(props.name) ?? props.children}</span>
    </li>
  )
}

/** Renders a folder, which is open until a script can toggle it. `data-folder` is the initial state. */
function Folder(props: {
  name: string
  isOpen: boolean
  isFixed: boolean
  isHighlighted: boolean
  children: ComponentChildren
}) {
  const isEmpty = toChildArray(props.children).length === 0
  const opens = !props.isFixed && !isEmpty
  return (
    <li
      class="tree-folder"
      data-folder={opens ? (props.isOpen ? 'open' : 'closed') : undefined}
      data-highlight={props.isHighlighted || undefined}
    >
      <div class="tree-label">
        {opens && <span class="chevron" aria-hidden="true" />}
        {ownIcon('folder')}
        <span class="tree-name">{props.name}</span>
      </div>
      {!isEmpty && <ul>{props.children}</ul>}
    </li>
  )
}

/** Converts lists in the children to entries. */
function toEntries(children: ComponentChildren): ComponentChildren {
  return toChildArray(children).flatMap((child): ComponentChildren[] => {
    if (!isValidElement(child)) return typeof child === 'string' && child.trim() === '' ? [] : [child]
    const element = child as VNode<AuthorProps>
    if (element.type === 'ul' || element.type === 'ol') return listEntries(element)
    return [element]
  })
}

function listEntries(listElement: VNode<AuthorProps>): ComponentChildren[] {
  return toChildArray(listElement.props.children).flatMap((item) => {
    if (!isValidElement(item)) return []
    const parts = toChildArray((item as VNode<AuthorProps>).props.children)
    const nested = parts.filter(
      (part): part is VNode<AuthorProps> => isValidElement(part) && part.type === 'ul',
    )
    const name = textOf(parts.filter((part) => !nested.includes(part as VNode<AuthorProps>))).trim()
    if (nested.length === 0 && !name.endsWith('/')) return [<TreeFile name={name} />]
    return [
      <Folder
        name={name.replace(/\/$/, '')}
        isOpen={nested.length > 0}
        isFixed={nested.length === 0}
        isHighlighted={false}
      >
        {nested.flatMap(listEntries)}
      </Folder>,
    ]
  })
}
