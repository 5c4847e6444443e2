import type { ComponentChildren } from 'preact'
import { WIDGETS, type Widget } from '../../../../../src/base/api/widgets.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import type { Draft } from '../../forms/field-spec.ts'
import { Icon } from '../../ui/icon.tsx'
import { t } from '../../words/words.ts'
import { ProjectForm } from './project-form.tsx'

const WIDGET_LABELS: Record<Widget, { label: string; help: string; isOnByDefault: boolean }> = {
  thumbs: {
    label: t('A vote below each page'),
    help: t('“Was this page helpful?”, with a reason and a comment.'),
    isOnByDefault: true,
  },
  code: {
    label: t('A note on each code block'),
    help: t('Readers can say what is wrong with the code.'),
    isOnByDefault: true,
  },
  suggestEdit: {
    label: t('A link to suggest an edit'),
    help: t('Leads to the file in the repository.'),
    isOnByDefault: false,
  },
  raiseIssue: {
    label: t('A link to raise an issue'),
    help: t('Leads to a new issue in the repository.'),
    isOnByDefault: false,
  },
}

/** Empty to use the setting in docs.json or, without one, the default. */
type WidgetChoice = '' | 'true' | 'false'

export function WidgetSettings({ project }: { project: ProjectDetail }) {
  return (
    <ProjectForm
      project={project}
      fields={(draft) => [
        ...WIDGETS.map((name) => {
          const { label, help, isOnByDefault } = WIDGET_LABELS[name]
          return {
            name: `widgets/${name}`,
            kind: 'select',
            label,
            help,
            choices: [
              {
                value: '',
                label: isOnByDefault
                  ? t('As set in docs.json (default: on)')
                  : t('As set in docs.json (default: off)'),
              },
              { value: 'true', label: t('On') },
              { value: 'false', label: t('Off') },
            ],
          }
        }),
        {
          group: t('Preview'),
          help: t('Changes take effect with the next deployment.'),
          fields: [<Sketch key="sketch" shows={(name) => isShown(draft, name)} />],
        },
        {
          group: t('In exported bundles'),
          fields: [
            {
              name: 'widgets/bundles',
              usual: false,
              label: t('Bundles collect feedback too'),
              help: t(
                'Pages in bundles send feedback to this server. When off, nothing in a bundle contacts a server, and feedback stays in the reader’s browser.',
              ),
            },
          ],
        },
      ]}
    />
  )
}

function isShown(draft: Draft, name: Widget): boolean {
  const choice = draft[`widgets/${name}`] as WidgetChoice | undefined
  return choice ? choice === 'true' : WIDGET_LABELS[name].isOnByDefault
}

const EXAMPLE_COMMAND = 'octavo start'

function Sketch({ shows }: { shows: (name: Widget) => boolean }) {
  const isEmpty = WIDGETS.every((name) => !shows(name))
  return (
    <div
      aria-hidden="true"
      class="rounded-md border border-line bg-sunken px-5 py-5 text-12 text-soft select-none"
    >
      <div class="mx-auto max-w-md rounded-md border border-line bg-raised p-4 shadow-low">
        {['w-3/4', 'w-full', 'w-2/3'].map((width) => (
          <div key={width} class={`mb-2 h-2 rounded-full bg-neutral-4 ${width}`} />
        ))}
        <div class="mt-4 flex items-center gap-2 rounded-sm border border-line bg-sunken px-3 py-2 font-mono">
          <span class="flex-1">{EXAMPLE_COMMAND}</span>
          {shows('code') && <Icon name="message-square" size={14} class="text-accent-11" />}
          <Icon name="copy" size={14} />
        </div>
        <div class="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3">
          {shows('thumbs') && (
            <span class="flex items-center gap-2">
              {t('Was this page helpful?')}
              <SketchButton icon="thumbs-up">{t('Yes')}</SketchButton>
              <SketchButton icon="thumbs-down">{t('No')}</SketchButton>
            </span>
          )}
          {shows('suggestEdit') && <span class="underline">{t('Suggest an edit')}</span>}
          {shows('raiseIssue') && <span class="underline">{t('Raise an issue')}</span>}
          {isEmpty && <span>{t('The page shows none of these.')}</span>}
        </div>
      </div>
    </div>
  )
}

function SketchButton({
  icon,
  children,
}: {
  icon: 'thumbs-up' | 'thumbs-down'
  children: ComponentChildren
}) {
  return (
    <span class="inline-flex items-center gap-1 rounded-sm border border-line px-2 py-0.5">
      <Icon name={icon} size={12} /> {children}
    </span>
  )
}
