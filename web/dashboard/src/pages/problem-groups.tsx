/** Problems grouped by file, each linked to its line. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ExportJob } from '../../../../src/features/export/operations/static-export.ts'
import type { SiteProblem } from '../../../../src/features/projects/operations/projects.ts'
import { queryClient } from '../app/query-client.ts'
import type { QueryParameters } from '../app/query-parameters.ts'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'
import { Link } from '../ui/link.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { plural, t } from '../words/words.ts'
import { FindingLines } from './finding-lines.tsx'
import { type SourceQuery, sourceQuery } from './source-panel.tsx'

const LEVELS = {
  error: { icon: 'circle-alert', looks: 'text-danger', label: t('Error') },
  warning: { icon: 'triangle-alert', looks: 'text-warning', label: t('Warning') },
  hint: { icon: 'info', looks: 'text-info', label: t('Hint') },
} as const

type Version = Pick<SourceQuery, 'exportId' | 'deploymentId'>
type FoundProblem = Pick<SiteProblem, 'file' | 'line' | 'level' | 'message' | 'remedy'> & {
  code?: string | undefined
}

/** Parses problems stored with jobs, whose messages end with the remedy. */
export function toProblems(warnings: ExportJob['warnings']): FoundProblem[] {
  return warnings.map(({ path, message, remedy = '', ...warning }) => {
    const isWhole = remedy !== '' && message.endsWith(` ${remedy}`)
    const problem = isWhole ? message.slice(0, -remedy.length - 1) : message
    return { ...warning, file: path, level: 'warning', message: problem, remedy: isWhole ? remedy : '' }
  })
}

interface ProblemGroupsProps {
  problems: readonly FoundProblem[]
  projectId: string
  parameters: QueryParameters
  here: string
  version: Version
}

export function ProblemGroups({ problems, projectId, parameters, here, version }: ProblemGroupsProps) {
  const most = useDeferredCount(problems.length)
  const files = useMemo(() => [...Map.groupBy(problems.slice(0, most), ({ file }) => file)], [problems, most])
  return (
    <div class="border-t border-line">
      {files.map(([file, own]) => (
        // `content-visibility` skips layout and paint of offscreen groups.
        <section
          key={file}
          aria-label={file}
          class="border-b border-line py-2 [contain-intrinsic-size:auto_80px] [content-visibility:auto]"
        >
          <h3 class="flex items-baseline justify-between gap-3 py-1 pr-2 font-mono text-12 font-medium">
            <span class="min-w-0 break-words">
              <PlainText text={file} />
            </span>
            {own.length > 1 && (
              <span class="shrink-0 font-sans font-normal text-faint">
                {plural(own.length, '{count} problem', '{count} problems')}
              </span>
            )}
          </h3>
          <ul>
            {own.map((problem, index) => (
              <li key={index}>
                <Problem
                  problem={problem}
                  projectId={projectId}
                  here={here}
                  version={version}
                  isChosen={
                    parameters.file === file && parameters.line === (problem.line?.toString() ?? undefined)
                  }
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

/** Maximum number of rows in the first frame; more than fit on a screen. */
const MAX_FIRST_FRAME_ROWS = 30

/** Returns the number of rows to render: offscreen rows follow after the first frame, so as not to delay it. */
function useDeferredCount(count: number): number {
  const [isFirst, setFirst] = useState(true)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setFirst(false)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isFirst ? Math.min(count, MAX_FIRST_FRAME_ROWS) : count
}

function Problem({
  problem: { file, line, level, code, message, remedy },
  projectId,
  here,
  version,
  isChosen,
}: {
  problem: FoundProblem
  projectId: string
  here: string
  version: Version
  isChosen: boolean
}) {
  const { icon, looks, label } = LEVELS[level]
  const parameters = new URLSearchParams({ file, ...(line === null ? {} : { line: String(line) }) })
  return (
    <Link
      look="none"
      href={`${here}${here.includes('?') ? '&' : '?'}${parameters}`}
      aria-current={isChosen ? 'true' : undefined}
      onPointerDown={() =>
        void queryClient.prefetchQuery(
          sourceQuery(projectId, { file, ...version, ...(line === null ? {} : { line }) }),
        )
      }
      class={classes(
        'flex items-start gap-2 rounded-sm px-2 py-1 text-13 outline-offset-[-2px]',
        isChosen ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      <span class="flex h-5 items-center">
        <Icon name={icon} size={14} label={label} class={looks} />
      </span>
      <span class="min-w-0 flex-1">
        <FindingLines code={code} sentence={message} remedy={remedy} />
      </span>
      {line !== null && <span class="shrink-0 font-mono text-12 leading-5 text-faint">:{line}</span>}
    </Link>
  )
}
