/** Code blocks and groups. Renders the frame; code is highlighted outside of the isolate. */
import type { VNode } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { pageScope, textOf } from '../isolate/page-scope.ts'
import { fillText } from '../words/component-texts.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  iconElement,
  isBlank,
  lineNumbers,
  ownIcon,
  readClass,
  readFlag,
  readList,
  readNonBlankText,
  toMarkup,
} from './author-props.tsx'
import { childElements } from './child-elements.tsx'
import { languageIcon, languageName } from './code-languages.ts'
import { TabGroup } from './tabs.tsx'

/** Whether the enclosing group renders title and copy button. */
export const InGroup = createContext(false)
/** Whether the content is in the right column. */
const InSide = createContext(false)

/** Blocks with fewer lines are never collapsible, even if the author requests it. */
const MIN_COLLAPSIBLE_LINES = 12

export function CodeBlock(props: AuthorProps) {
  const isInGroup = useContext(InGroup)
  const code = textOf(props.children).replace(/\n$/, '')
  const language = readNonBlankText(props.language) ?? readNonBlankText(props.lang) ?? 'text'
  const title = readTitle(props)
  const lineCount = code.split('\n').length
  const html = pageScope().code(code, {
    language,
    highlight: lineNumbers(props.highlight),
    focus: lineNumbers(props.focus),
    lines: readFlag(props.lines),
  })
  return (
    <div
      class={classes('code-block', readClass(props))}
      data-language={language}
      data-lines={readFlag(props.lines) || undefined}
      data-wrap={readFlag(props.wrap) || undefined}
      data-focus={lineNumbers(props.focus).length > 0 || undefined}
      data-nocopy={readFlag(props.nocopy) || undefined}
      data-folded={(readFlag(props.expandable) && lineCount >= MIN_COLLAPSIBLE_LINES) || undefined}
    >
      {title && !isInGroup && (
        <div class="code-block-header">
          {codeIcon(props, language)}
          <span class="code-block-title" data-component-part="code-block-header-filename">
            {title}
          </span>
        </div>
      )}
      {!readFlag(props.nocopy) && !isInGroup && <CopyButton />}
      <pre tabIndex={0} dangerouslySetInnerHTML={{ __html: html }} />
      {readFlag(props.expandable) && lineCount >= MIN_COLLAPSIBLE_LINES && (
        <button type="button" class="code-block-expand" aria-expanded="false" data-lines-count={lineCount}>
          <span class="code-block-more">{fillText(pageScope().text('showAllLines'), lineCount)}</span>
          <span class="code-block-less">{pageScope().text('showLess')}</span>
        </button>
      )}
    </div>
  )
}

export function CodeGroup(props: AuthorProps) {
  return group(props, classes('code-group', readClass(props)))
}

/** Renders the example in the right column or, inside a Panel, in place. */
export function RequestExample(props: AuthorProps) {
  return <Example id="request-example" props={props} />
}

export function ResponseExample(props: AuthorProps) {
  return <Example id="response-example" props={props} />
}

export function Panel(props: AuthorProps) {
  return (
    <o-side>
      <div class={classes('panel', readClass(props))} id="panel">
        <InSide.Provider value={true}>{props.children}</InSide.Provider>
      </div>
    </o-side>
  )
}

function Example({ id, props }: { id: string; props: AuthorProps }) {
  const isInSide = useContext(InSide)
  const example = (
    <div class="example" id={id}>
      {group(props, classes('code-group', readClass(props)))}
    </div>
  )
  return isInSide ? example : <o-side>{example}</o-side>
}

function group(props: AuthorProps, className: string): VNode {
  const children = childElements(props.children, (type) => type === CodeBlock)
  const blocks = children.flatMap((child) => (child.kind === 'wanted' ? [child.element] : []))
  const rest = children.flatMap((child) => (child.kind === 'content' ? [child.content] : []))
  const panels = blocks.map((block) => {
    const language = readNonBlankText(block.props.language) ?? 'text'
    const title = readTitle(block.props) ?? languageName(language)
    const isStatus = /^\d\d\d\b/.test(title)
    return {
      id: pageScope().anchor(title),
      title,
      label: title,
      icon: isStatus ? null : codeIcon(block.props, language),
      content: block,
    }
  })
  return (
    <>
      {panels.length > 0 && (
        <InGroup.Provider value={true}>
          <TabGroup
            className={className}
            panels={panels}
            initial={0}
            isSynced={true}
            isDropdown={readFlag(props.dropdown)}
            action={<CopyButton />}
          />
        </InGroup.Provider>
      )}
      {!isBlank(rest) && rest}
    </>
  )
}

function readTitle(props: AuthorProps): string | null {
  return readNonBlankText(props.filename) ?? readNonBlankText(props.title)
}

function codeIcon(props: AuthorProps, language: string): VNode | null {
  const own = iconElement(props, { className: 'code-block-icon' })
  if (own) return own
  const iconProps = languageIcon(language)
  if (iconProps === null) return null
  return iconElement(iconProps, { className: 'code-block-icon' })
}

/** Renders the button without its icon, which CSS adds because a page may contain a hundred buttons. */
export function CopyButton() {
  const label = pageScope().text('copyCode')
  return (
    <button type="button" class="code-block-copy-button" aria-label={label} title={label}>
      <span aria-hidden="true" />
    </button>
  )
}

/** Renders the description of a prompt to copy. */
export function Prompt(props: AuthorProps) {
  const actions = props.actions === undefined ? ['copy'] : readList(props.actions)
  const text = textOf(props.children).trim()
  return (
    <div class={classes('prompt', readClass(props))} data-prompt>
      {iconElement(props, { className: 'prompt-icon' }) ?? ownIcon('sparkles', { className: 'prompt-icon' })}
      <div class="prompt-description">{toMarkup(props.description, false) || text.slice(0, 140)}</div>
      {actions.includes('copy') && (
        <button type="button" class="prompt-copy">
          {pageScope().text('copyPrompt')}
        </button>
      )}
      {actions.includes('cursor') && (
        <a
          class="prompt-open"
          href={`cursor://anysphere.cursor-deeplink/prompt?text=${encodeURIComponent(text)}`}
        >
          {pageScope().text('openInCursor')}
        </a>
      )}
      <details class="prompt-text">
        <summary>{pageScope().text('showPrompt')}</summary>
        <pre tabIndex={0}>{text}</pre>
      </details>
    </div>
  )
}
