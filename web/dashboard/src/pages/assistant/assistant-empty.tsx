/** Empty states: there are no questions, the site has no assistant, or no question matches the filters. */

import type { AssistantFigures } from '../../../../../src/features/assistant/operations/questions.ts'
import { useProjectId, useProjectSummary } from '../../app/current-project.ts'
import { useQueryParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { t } from '../../words/words.ts'
import { ModelSetup } from '../model-setup.tsx'
import { NO_FILTERS } from './question-labels.ts'

export function NoQuestions({ figures }: { figures: AssistantFigures }) {
  const { isConfigured, hosted, bundles } = figures
  if (!isConfigured)
    return (
      <EmptyState icon="message-square" title={t('The assistant has no model')}>
        <p>
          {t(
            'The assistant needs its own model. Whoever runs this server can set one with the setting below and the provider’s API key.',
          )}
        </p>
        <div class="text-left">
          <ModelSetup setting="OCTAVO_ASSISTANT_MODEL" />
        </div>
      </EmptyState>
    )
  if (hosted === 'on') return <NoQuestionsYet bundles={bundles} />
  return (
    <EmptyState
      icon="message-square"
      title={
        hosted === 'unpublished' ? t('Nothing is published yet') : t('The published version has no assistant')
      }
      actions={<SiteLinks bundles={bundles} />}
    >
      <p>
        {hosted === 'unpublished'
          ? t('Readers of the published site can ask the assistant, which answers from the docs.')
          : t(
              'It was published before this server had a model for readers. The next deployment will include the assistant.',
            )}
      </p>
      <BundleNotice bundles={bundles} />
    </EmptyState>
  )
}

function NoQuestionsYet({ bundles }: { bundles: boolean }) {
  const url = useProjectSummary()?.url ?? null
  return (
    <EmptyState
      icon="message-square"
      title={t('No questions yet')}
      actions={
        url !== null && (
          <ButtonLink look="primary" href={url} target="_blank" icon="external-link">
            {t('Open the site and ask')}
          </ButtonLink>
        )
      }
    >
      <p>
        {t(
          'Readers ask with the button in the site header or with Ctrl+I. Each question appears here immediately.',
        )}
      </p>
      <BundleNotice bundles={bundles} />
    </EmptyState>
  )
}

/** Shown when there are questions, but the hosted site no longer collects new questions. */
export function AssistantNotice({ figures: { isConfigured, hosted } }: { figures: AssistantFigures }) {
  const projectId = useProjectId()
  if (isConfigured && hosted !== 'off') return null
  return (
    <div class="px-6 pt-4 max-md:px-4">
      <Notice
        tone="warning"
        title={
          isConfigured ? t('The published site has no assistant') : t('The assistant no longer has a model')
        }
        actions={
          isConfigured && (
            <ButtonLink size="small" href={`/p/${projectId}/site`}>
              {t('Open the site')}
            </ButtonLink>
          )
        }
      >
        {isConfigured
          ? t(
              'The site’s next deployment will include the assistant. The questions shown were asked earlier, or in bundles.',
            )
          : t('This server has no model for the assistant. The questions shown were asked earlier.')}
      </Notice>
    </div>
  )
}

export function NothingMatches({ isNarrowed }: { isNarrowed: boolean }) {
  const [, change] = useQueryParameters()
  return (
    <EmptyState
      icon="list-filter"
      title={isNarrowed ? t('No matching questions') : t('No questions in the last 30 days')}
      actions={
        <>
          {isNarrowed && <Button onClick={() => change(NO_FILTERS)}>{t('Clear the filters')}</Button>}
          <Button look="quiet" onClick={() => change({ ...NO_FILTERS, days: 'any' })}>
            {t('Show all stored questions')}
          </Button>
        </>
      }
    >
      <p>{t('The organization’s retention settings determine how long questions are stored.')}</p>
    </EmptyState>
  )
}

function BundleNotice({ bundles }: { bundles: boolean }) {
  return (
    <p>
      {bundles
        ? t('Client-hosted bundles include the assistant from their next export.')
        : t('Client-hosted bundles include the assistant if the project settings allow it.')}
    </p>
  )
}

function SiteLinks({ bundles }: { bundles: boolean }) {
  const projectId = useProjectId()
  const mayChange = useHasPermission('projects')
  return (
    <>
      <ButtonLink look="primary" href={`/p/${projectId}/site`}>
        {t('Open the site')}
      </ButtonLink>
      {mayChange && !bundles && (
        <ButtonLink href={`/p/${projectId}/settings/features`}>{t('Assistant in bundles')}</ButtonLink>
      )}
    </>
  )
}
