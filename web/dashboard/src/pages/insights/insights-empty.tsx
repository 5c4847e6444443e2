/** Empty states: analytics is off, the site is not published, or it has no readers yet. */

import type { Insights } from '../../../../../src/features/analytics/operations/insights.ts'
import { useProjectSummary } from '../../app/current-project.ts'
import { useHasPermission } from '../../app/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { rich, t } from '../../words/words.ts'

type Counting = Insights['counting']

const TELEMETRY_EXAMPLE = '"integrations": {\n  "telemetry": { "enabled": true }\n}'

export function NothingCounted({ projectId, counting }: { projectId: string; counting: Counting }) {
  if (counting.hosted === 'on') return <NoViewsYet projectId={projectId} counting={counting} />
  const isPublished = counting.hosted === 'off'
  return (
    <EmptyState
      icon="chart-line"
      title={isPublished ? t('Web analytics are off') : t('Nothing is published yet')}
      actions={
        <>
          <ButtonLink look="primary" href={`/p/${projectId}/site`}>
            {isPublished ? t('Open the site') : t('Publish the site')}
          </ButtonLink>
          <BundleAnalyticsLink projectId={projectId} counting={counting} />
        </>
      }
    >
      {isPublished ? (
        <>
          <p>
            {rich(
              'The published version does not collect analytics: its {file} turns them off, or it was published before analytics were available. Add this and publish again:',
              { file: <code>docs.json</code> },
            )}
          </p>
          <div class="text-left">
            <CodeBlock title="docs.json" text={TELEMETRY_EXAMPLE} />
          </div>
        </>
      ) : (
        <p>
          {t('A published site measures how it is used, without cookies and without identifying readers.')}
        </p>
      )}
      <BundleNotice counting={counting} />
    </EmptyState>
  )
}

function NoViewsYet({ projectId, counting }: { projectId: string; counting: Counting }) {
  const url = useProjectSummary()?.url ?? null
  return (
    <EmptyState
      icon="chart-line"
      title={t('No views yet')}
      actions={
        <>
          {url !== null && (
            <ButtonLink look="primary" href={url} target="_blank" icon="external-link">
              {t('Open the site')}
            </ButtonLink>
          )}
          <BundleAnalyticsLink projectId={projectId} counting={counting} />
        </>
      }
    >
      <p>
        {t(
          'Each view of the published site appears here within seconds. Browsers that send Do Not Track or Global Privacy Control are never counted, including yours.',
        )}
      </p>
      <BundleNotice counting={counting} />
    </EmptyState>
  )
}

/** Shown when there is data, but no more is being collected. */
export function CountingNotice({ projectId, counting }: { projectId: string; counting: Counting }) {
  if (counting.hosted !== 'off') return null
  return (
    <Notice
      tone="warning"
      title={t('The published site does not collect analytics')}
      actions={
        <ButtonLink size="small" href={`/p/${projectId}/site`}>
          {t('Open the site')}
        </ButtonLink>
      }
    >
      {rich(
        'Its {file} turns web analytics off with {setting}. The data shown was collected before, or in bundles.',
        { file: 'docs.json', setting: <code>integrations.telemetry</code> },
      )}
    </Notice>
  )
}

function BundleNotice({ counting }: { counting: Counting }) {
  return (
    <p>
      {counting.bundles
        ? t('Client-hosted bundles collect analytics too, from their next export.')
        : t('Client-hosted bundles collect analytics if the project settings allow it.')}
    </p>
  )
}

function BundleAnalyticsLink({ projectId, counting }: { projectId: string; counting: Counting }) {
  const mayChange = useHasPermission('projects')
  if (!mayChange || counting.bundles) return null
  return <ButtonLink href={`/p/${projectId}/settings/features`}>{t('Analytics in bundles')}</ButtonLink>
}
