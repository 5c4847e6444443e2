/** Numbered steps. Uses a CSS counter, so that steps inside snippets are counted. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { pageScope } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import {
  classes,
  iconElement,
  readClass,
  readFlag,
  readNonBlankText,
  readNumber,
  toMarkup,
  toPlainText,
} from './author-props.tsx'

const TitleSize = createContext<unknown>('p')

export function Steps(props: AuthorProps) {
  return (
    <TitleSize.Provider value={props.titleSize ?? 'p'}>
      <div class={classes('steps', readClass(props))} role="list">
        {props.children}
      </div>
    </TitleSize.Provider>
  )
}

export function Step(props: AuthorProps) {
  const inherited = useContext(TitleSize)
  const size = readNonBlankText(props.titleSize) ?? readNonBlankText(inherited) ?? 'p'
  const level = /^h[2-6]$/.test(size) ? Number(size.charAt(1)) : null
  const text = toPlainText(props.title)
  const id = stepId(text, readNonBlankText(props.id), level)
  const number = readNumber(props.stepNumber)
  const icon = iconElement(props)
  const title = toMarkup(props.title)
  const Title = level === null ? 'p' : (`h${level}` as 'h2')
  return (
    <div
      class={classes('step', readClass(props))}
      role="listitem"
      id={id ?? undefined}
      style={number === null ? undefined : { counterSet: `step ${Math.round(number)}` }}
    >
      <div class="step-marker" aria-hidden="true" data-icon={icon !== null || undefined}>
        {icon}
      </div>
      <div class="step-body">
        {title && (
          <Title class="step-title">
            {title}
            {id && !readFlag(props.noAnchor) && (
              <a class="heading-anchor" href={`#${id}`} aria-label={pageScope().text('permalink')} />
            )}
          </Title>
        )}
        <div class="step-content">{props.children}</div>
      </div>
    </div>
  )
}

function stepId(text: string, id: string | null, level: number | null): string | null {
  if (text === '') return id === null ? null : pageScope().anchor(id)
  if (level === null) return pageScope().anchor(id ?? text)
  return pageScope().heading({ text, level, ...(id === null ? {} : { id }) })
}
