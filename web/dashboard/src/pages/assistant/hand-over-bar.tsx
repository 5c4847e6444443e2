/** Action bar at the bottom of the list for the selected questions. */

import { MAX_QUESTIONS_PER_JOB } from '../../../../../src/base/api/form-limits.ts'
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx'
import { plural, t } from '../../words/words.ts'
import type { Selection } from '../feedback/selection.ts'

export function buildQuestionJobHref(projectId: string, questionIds: readonly string[]): string {
  return `/p/${projectId}/agent?questions=${questionIds.slice(0, MAX_QUESTIONS_PER_JOB).join(',')}`
}

interface HandOverBarProps {
  projectId: string
  selection: Selection
  loaded: readonly string[]
}

export function HandOverBar({ projectId, selection: { ids, add, clear }, loaded }: HandOverBarProps) {
  const isMore = ids.size > MAX_QUESTIONS_PER_JOB
  return (
    <section
      aria-label={t('Selected questions')}
      class="flex min-h-12 shrink-0 animate-rise flex-wrap items-center gap-2 border-t border-line bg-raised px-4 py-2"
    >
      <span class="mr-1 flex-1 text-13 font-medium whitespace-nowrap tabular-nums" role="status">
        {plural(ids.size, '{count} selected', '{count} selected')}
      </span>
      {loaded.some((id) => !ids.has(id)) && (
        <Button size="small" look="quiet" onClick={() => add(loaded)}>
          {t('Select all shown')}
        </Button>
      )}
      <ButtonLink size="small" icon="bot" href={buildQuestionJobHref(projectId, [...ids])}>
        {isMore
          ? t('Start agent job (first {count})', { count: MAX_QUESTIONS_PER_JOB })
          : t('Start agent job')}
      </ButtonLink>
      <IconButton icon="x" size="small" label={t('Select none')} onClick={clear} />
    </section>
  )
}
