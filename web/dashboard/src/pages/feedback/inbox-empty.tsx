/** Empty states of the inbox: no match, everything done, or no feedback yet. */

import { useQuery } from '@tanstack/react-query'
import { octavo } from '../../api/octavo.ts'
import { useProjectSummary } from '../../app/current-project.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState, SkeletonRows } from '../../ui/states.tsx'
import { rich, t } from '../../words/words.ts'
import { clearedFilters } from './filter-bar.tsx'
import { type InboxFilters, isFiltered } from './inbox-filters.ts'

function anyFeedbackQuery(projectId: string) {
  return {
    queryKey: ['anyFeedback', projectId],
    queryFn: async () => (await octavo.listFeedback(projectId, { limit: 1 })).feedback.length > 0,
    meta: { live: ['feedback'] },
  }
}

export function InboxEmpty({ projectId, filters }: { projectId: string; filters: InboxFilters }) {
  const [parameters, change] = useQueryParameters()
  const { data: hasAny } = useQuery(anyFeedbackQuery(projectId))
  if (hasAny === undefined) return <SkeletonRows label={t('Loading feedback')} />
  if (!hasAny) return <NoFeedbackYet projectId={projectId} />
  if (!isFiltered(parameters)) {
    return (
      <EmptyState
        icon="check-check"
        title={t('All done')}
        actions={<Button onClick={() => change({ status: 'any' })}>{t('Show all statuses')}</Button>}
      >
        <p>{t('No comments are pending or in progress. New feedback appears here automatically.')}</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="search"
      title={t('Nothing matches')}
      actions={
        <>
          {filters.statuses !== null && (
            <Button onClick={() => change({ status: 'any' })}>{t('Search all statuses')}</Button>
          )}
          <Button onClick={() => change(clearedFilters())}>{t('Clear the filters')}</Button>
        </>
      }
    >
      <p>{t('No feedback matches all of these filters.')}</p>
    </EmptyState>
  )
}

export function NoFeedbackYet({ projectId }: { projectId: string }) {
  const project = useProjectSummary()
  const mayChange = useHasPermission('projects')
  const mayDeploy = useHasPermission('deployments')
  const url = project?.publishedAt != null ? project.url : null
  return (
    <EmptyState
      icon="inbox"
      title={t('No feedback yet')}
      actions={
        <>
          {url !== null && (
            <ButtonLink look="primary" href={url} target="_blank" icon="external-link">
              {t('Open the site and vote')}
            </ButtonLink>
          )}
          {url === null && mayDeploy && (
            <ButtonLink look="primary" href={`/p/${projectId}/site`}>
              {t('Publish the site')}
            </ButtonLink>
          )}
          {mayChange && (
            <ButtonLink href={`/p/${projectId}/settings/widgets`}>{t('Feedback widgets')}</ButtonLink>
          )}
        </>
      }
    >
      <p>
        {rich(
          'Each page of the published site asks “Was this page helpful?”, and readers can comment on each code block. This part of {file} turns both on, unless the project’s feedback settings override it:',
          { file: <code>docs.json</code> },
        )}
      </p>
      <div class="text-left">
        <CodeBlock
          title="docs.json"
          text={'"feedback": {\n  "thumbsRating": true,\n  "codeSnippet": true\n}'}
        />
      </div>
      {url === null && (
        <p>{t('Publish the site first. Bundles collect feedback only if the settings allow it.')}</p>
      )}
    </EmptyState>
  )
}
