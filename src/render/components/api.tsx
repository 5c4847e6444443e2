/** Components of API pages, whose props are set by Octavo instead of authors. */
import type { ComponentChildren, VNode } from 'preact'
import { toChildArray } from 'preact'
import { pageScope } from '../isolate/page-scope.ts'
import type { AuthorProps } from './author-props.tsx'
import { readNonBlankText, toMarkup } from './author-props.tsx'
import { CodeBlock, CopyButton, InGroup } from './code.tsx'
import { type PanelContent, TabGroup } from './tabs.tsx'

/** Maximum number of tabs. More panels are selected with a menu. */
const MAX_TABS = 6

/** Shows one of its children. Titles and children have the same order. */
export function ApiChoice(props: AuthorProps) {
  const titles = texts(props.titles)
  const notes = texts(props.notes)
  const shows = props.shows as readonly number[]
  const contents = toChildArray(props.children)
  const isStatus = props.isStatus === true
  const ids = titles.map((title) => pageScope().anchor(`${isStatus ? 'status' : 'choice'}-${title}`))
  const panels = titles.map((title, index): PanelContent => {
    const note = notes[index]
    return {
      id: ids[index] as string,
      shows: ids[shows[index] ?? -1],
      title,
      label: title,
      icon: isStatus ? <StatusDot status={title} /> : null,
      content: (
        <>
          {note && <div class="api-note">{note}</div>}
          {contents[index]}
        </>
      ),
    }
  })
  return (
    <div class="api-choice" data-status={isStatus || undefined}>
      {readNonBlankText(props.label) && <div class="api-choice-label">{readNonBlankText(props.label)}</div>}
      <TabGroup
        className="api-tabs"
        panels={panels}
        initial={0}
        isSynced={false}
        isSyncedHere={isStatus}
        groupLabel={readNonBlankText(props.label) ?? readNonBlankText(props.name)}
        isDropdown={false}
      />
    </div>
  )
}

function StatusDot({ status }: { status: string }): VNode {
  const kind = /^[1-5]/.exec(status)?.[0] ?? '0'
  return <span class="status-dot" data-kind={kind} aria-hidden="true" />
}

interface Sample {
  title: string
  name: string
  description: string
  language: string
  code: string
}

/** Shows samples by language or status. Samples with the same title are selected by name. */
export function ApiPanel(props: AuthorProps) {
  const samples = props.samples as Sample[]
  const groups = [...Map.groupBy(samples, (sample) => sample.title)]
  const isRemembered = props.isRemembered === true
  const id = readNonBlankText(props.id) ?? 'example'
  const firstIds = new Map<string, string>()
  const panels = groups.map(([title, group], index): PanelContent => {
    const isStatus = /^(?:[1-5](?:\d\d|XX)|default)$/i.test(title)
    const panelId = pageScope().anchor(`${id}-${title}`)
    // Responses of several statuses are often equal.
    const same = isStatus ? JSON.stringify(group.map((sample) => ({ ...sample, title: '' }))) : title
    const shows = firstIds.get(same)
    if (shows === undefined) firstIds.set(same, panelId)
    const content = shows === undefined ? <Samples samples={group} /> : null
    return {
      id: panelId,
      shows,
      title,
      label: title,
      icon: isStatus ? <StatusDot status={title} /> : null,
      // Only the first language is shown to agents, which cannot select one.
      content: isRemembered && index > 0 ? <o-humans>{content}</o-humans> : content,
    }
  })
  const isDropdown = isRemembered ? groups.length > 1 : groups.length > MAX_TABS
  const only = panels.length === 1 ? panels[0] : undefined
  const lead = panelTitle(readNonBlankText(props.method), readNonBlankText(props.title), only)
  return (
    <o-side>
      <div class="example api-panel" id={id}>
        <InGroup.Provider value={true}>
          {only ? (
            <div class="code-group">
              <div class="api-panel-bar">
                {lead}
                <CopyButton />
              </div>
              {only.content}
            </div>
          ) : (
            <TabGroup
              className="code-group"
              panels={panels}
              initial={0}
              isSynced={isRemembered}
              isSyncedHere={!isRemembered}
              groupLabel={readNonBlankText(props.label)}
              isDropdown={isDropdown}
              lead={isDropdown && lead}
              action={<CopyButton />}
            />
          )}
        </InGroup.Provider>
      </div>
    </o-side>
  )
}

function panelTitle(method: string | null, title: string | null, only: PanelContent | undefined): VNode {
  return (
    <div class="api-panel-title">
      {method && (
        <span class="method-pill" data-method={method}>
          {method}
        </span>
      )}
      <span class={method ? 'api-panel-path' : 'api-panel-name'}>{title}</span>
      {only && only.title !== title && (
        <span class="api-panel-only">
          {only.icon}
          {only.title}
        </span>
      )}
    </div>
  )
}

function Samples({ samples }: { samples: readonly Sample[] }): ComponentChildren {
  const [only] = samples
  if (only && samples.length === 1) {
    return (
      <>
        {only.name !== '' && <div class="api-sample-name">{only.name}</div>}
        <SampleCode sample={only} />
      </>
    )
  }
  const panels = samples.map((sample, index): PanelContent => {
    const title = sample.name || `${index + 1}`
    return {
      id: pageScope().anchor(`example-${title}`),
      title,
      label: title,
      icon: null,
      content: <SampleCode sample={sample} />,
    }
  })
  return <TabGroup className="api-examples" panels={panels} initial={0} isSynced={false} isDropdown={true} />
}

function SampleCode({ sample }: { sample: Sample }): ComponentChildren {
  return (
    <>
      {sample.description !== '' && <div class="api-sample-note">{toMarkup(sample.description)}</div>}
      <CodeBlock language={sample.language}>{sample.code}</CodeBlock>
    </>
  )
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
