/** Settings of the project in sections, each a form with its own URL. */

import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'preact/compat'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useHasPermission } from '../../app/session.ts'
import { classes } from '../../ui/classes.ts'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { useIsNarrow } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { AccessSettings } from './access-settings.tsx'
import { AgentSettings } from './agent-settings.tsx'
import { CodeSettings } from './code-settings.tsx'
import { DeleteSettings } from './delete-settings.tsx'
import { DomainSettings } from './domain-settings.tsx'
import { FeatureSettings } from './feature-settings.tsx'
import { GeneralSettings } from './general-settings.tsx'
import { SectionLinks, SectionMenu } from './section-links.tsx'
import { useProjectDetail } from './settings-form.tsx'
import { SourceSettings } from './source-settings.tsx'
import { WidgetSettings } from './widget-settings.tsx'

// Loaded on demand, because it is large and not everyone has access.
const WebhookSettings = lazy(async () => ({
  default: (await import('./webhook-settings.tsx')).WebhookSettings,
}))

const SECTIONS = {
  general: t('General'),
  source: t('Source'),
  domains: t('Domains'),
  access: t('Access'),
  features: t('Features'),
  widgets: t('Feedback widgets'),
  agent: t('Agent'),
  code: t('Code'),
  webhooks: t('Webhooks'),
  delete: t('Transfer, archive and delete'),
} as const
type SectionName = keyof typeof SECTIONS

const FORMS = {
  general: GeneralSettings,
  source: SourceSettings,
  domains: DomainSettings,
  access: AccessSettings,
  features: FeatureSettings,
  widgets: WidgetSettings,
  agent: AgentSettings,
  code: CodeSettings,
  delete: DeleteSettings,
}

export function preload({ params }: { params: Record<string, string> }): void {
  void queryClient.prefetchQuery(
    internalQuery('getProject', { params: { projectId: params.projectId ?? '' } }),
  )
}

export function SettingsPage() {
  const projectId = useProjectId()
  const { section } = useParams({ strict: false })
  const isNarrow = useIsNarrow()
  const mayHook = useHasPermission('webhooks')
  const mayChange = useHasPermission('projects')
  const mayDelete = useHasPermission('deletion')
  const { data: project, error, refetch } = useProjectDetail(projectId)
  const names = (Object.keys(SECTIONS) as SectionName[]).filter(
    (name) =>
      (name !== 'webhooks' || mayHook) &&
      (name !== 'access' || mayChange) &&
      (name !== 'delete' || mayDelete),
  )
  const chosen = names.find((name) => name === section) ?? 'general'
  const hrefOf = (name: SectionName) => `/p/${projectId}/settings${name === 'general' ? '' : `/${name}`}`
  const sections = names.map((name) => ({ href: hrefOf(name), label: SECTIONS[name] }))
  useEscapeTo(`/p/${projectId}`)
  const Form = chosen === 'webhooks' ? null : FORMS[chosen]
  return (
    <>
      <PageHeader title={t('Settings')} about={project?.name}>
        {isNarrow && <SectionMenu sections={sections} current={hrefOf(chosen)} />}
      </PageHeader>
      <div class="flex min-h-0 flex-1">
        {!isNarrow && <SectionLinks sections={sections} current={hrefOf(chosen)} />}
        <div
          class={classes(
            'flex min-h-0 min-w-0 flex-1 flex-col',
            !isNarrow && '[--container-page:var(--container-beside)]',
          )}
        >
          {Form === null ? (
            <Suspense fallback={null}>
              <WebhookSettings />
            </Suspense>
          ) : (
            <PageBody isForm>
              {project === undefined ? (
                error === null ? (
                  <Skeleton class="h-40 w-full rounded-md" />
                ) : (
                  <ErrorState error={error} onRetry={refetch} />
                )
              ) : (
                <Form key={`${projectId}-${chosen}`} project={project} />
              )}
            </PageBody>
          )}
        </div>
      </div>
    </>
  )
}
