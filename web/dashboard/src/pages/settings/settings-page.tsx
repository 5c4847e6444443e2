/** Settings of the project in sections, each a form with its own URL. */

import { lazy, Suspense } from 'preact/compat'
import { internalQuery } from '../../api/internal.ts'
import { useProjectId } from '../../app/current-project.ts'
import { useEscapeTo } from '../../app/frame.tsx'
import { queryClient } from '../../app/query-client.ts'
import { usePathParameters } from '../../app/query-parameters.ts'
import { useHasPermission } from '../../app/session.ts'
import { SaveBar } from '../../forms/save-bar.tsx'
import { classes } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'
import { Menu } from '../../ui/menu.tsx'
import { PageBody, PageHeader } from '../../ui/page.tsx'
import { Loaded, Skeleton } from '../../ui/states.tsx'
import { useIsNarrow } from '../../ui/use-width.ts'
import { t } from '../../words/words.ts'
import { AccessSettings } from './access-settings.tsx'
import { AgentSettings } from './agent-settings.tsx'
import { CodeSettings } from './code-settings.tsx'
import { DeleteSettings } from './delete-settings.tsx'
import { DomainSettings } from './domain-settings.tsx'
import { FeatureSettings } from './feature-settings.tsx'
import { GeneralSettings } from './general-settings.tsx'
import { useProjectDetail } from './project-form.tsx'
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
  const { section } = usePathParameters()
  const isNarrow = useIsNarrow()
  const isOpen: Partial<Record<SectionName, boolean>> = {
    webhooks: useHasPermission('webhooks'),
    access: useHasPermission('projects'),
    delete: useHasPermission('deletion'),
  }
  const query = useProjectDetail(projectId)
  const names = (Object.keys(SECTIONS) as SectionName[]).filter((name) => isOpen[name] !== false)
  const chosen = names.find((name) => name === section) ?? 'general'
  const sections = names.map((name) => ({
    href: `/p/${projectId}/settings${name === 'general' ? '' : `/${name}`}`,
    label: SECTIONS[name],
    isChecked: name === chosen,
  }))
  useEscapeTo(`/p/${projectId}`)
  const Form = chosen === 'webhooks' ? null : FORMS[chosen]
  return (
    <>
      <PageHeader title={t('Settings')} about={query.data?.name}>
        {isNarrow && <SectionMenu sections={sections} />}
      </PageHeader>
      <div class="flex min-h-0 flex-1">
        {!isNarrow && <SectionLinks sections={sections} />}
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
              <Loaded query={query} skeleton={<Skeleton class="h-40 w-full rounded-md" />}>
                {(project) => <Form key={`${projectId}-${chosen}`} project={project} />}
              </Loaded>
              <SaveBar />
            </PageBody>
          )}
        </div>
      </div>
    </>
  )
}

interface Sections {
  sections: readonly { href: string; label: string; isChecked: boolean }[]
}

function SectionLinks({ sections }: Sections) {
  return (
    <nav aria-label={t('Settings')} class="w-56 shrink-0 overflow-y-auto border-r border-line px-4 py-5">
      <ul class="space-y-px">
        {sections.map(({ href, label, isChecked }) => (
          <li key={href}>
            <Link
              look="none"
              href={href}
              aria-current={isChecked ? 'page' : undefined}
              class={classes(
                'flex min-h-(--control) items-center rounded-sm px-2 py-1 text-13 outline-offset-[-2px]',
                isChecked ? 'bg-pressed font-medium text-text' : 'text-soft hover:bg-hover hover:text-text',
              )}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function SectionMenu({ sections }: Sections) {
  const chosen = sections.find(({ isChecked }) => isChecked)?.label ?? ''
  return (
    <div class="pb-3">
      <Menu
        label={t('Settings')}
        class="w-72"
        items={sections}
        trigger={(props) => (
          <button
            type="button"
            {...props}
            aria-label={t('Settings: {section}. Choose another', { section: chosen })}
            class="flex h-9 w-full items-center justify-between gap-2 rounded-sm border border-edge bg-raised px-3 text-14 md:w-72 coarse:h-(--control)"
          >
            <span class="truncate">{chosen}</span>
            <Icon name="chevron-down" size={14} class="text-soft" />
          </button>
        )}
      />
    </div>
  )
}
