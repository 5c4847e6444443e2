import type { ComponentChildren } from 'preact'
import { WIDGETS, type Widget } from '../../../../../src/base/api/widgets.ts'
import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { FieldSet } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Select } from '../../ui/input.tsx'
import { Switch } from '../../ui/switch.tsx'
import { t } from '../../words/words.ts'
import { SettingsForm, type SettingsShape, type SettingsState } from './settings-form.tsx'

/** `site`: use the setting in docs.json, or else the default. */
type WidgetChoice = 'site' | 'on' | 'off'

interface WidgetDraft {
  widgets: Record<Widget, WidgetChoice>
  bundles: boolean
}

const WIDGET_LABELS: Record<Widget, { label: string; about: string; isOnByDefault: boolean }> = {
  thumbs: {
    label: t('A vote below each page'),
    about: t('“Was this page helpful?”, with a reason and a comment.'),
    isOnByDefault: true,
  },
  code: {
    label: t('A note on each code block'),
    about: t('Readers say what is wrong in it.'),
    isOnByDefault: true,
  },
  suggestEdit: {
    label: t('A link to suggest an edit'),
    about: t('Leads to the file in the repository.'),
    isOnByDefault: false,
  },
  raiseIssue: {
    label: t('A link to raise an issue'),
    about: t('Leads to a new issue in the repository.'),
    isOnByDefault: false,
  },
}

const toWidgetChoice = (choice: boolean | undefined): WidgetChoice =>
  choice === undefined ? 'site' : choice ? 'on' : 'off'
const toStoredChoice = (say: WidgetChoice) => (say === 'site' ? null : say === 'on')
const choiceLabels: Record<WidgetChoice, string> = {
  site: t('docs.json decides'),
  on: t('on'),
  off: t('off'),
}

const SHAPE: SettingsShape<WidgetDraft> = {
  toDraft: ({ widgets }) => ({
    widgets: Object.fromEntries(
      WIDGETS.map((name) => [name, toWidgetChoice(widgets[name])]),
    ) as WidgetDraft['widgets'],
    bundles: widgets.bundles ?? false,
  }),
  toChange: ({ widgets, bundles }) => ({
    widgets: {
      ...Object.fromEntries(WIDGETS.map((name) => [name, toStoredChoice(widgets[name])])),
      bundles: bundles ? true : null,
    },
  }),
  toLabelledValues: ({ widgets, bundles }) => [
    ...WIDGETS.map((name) => ({ label: WIDGET_LABELS[name].label, value: choiceLabels[widgets[name]] })),
    { label: t('Bundles'), value: bundles ? t('on') : t('off') },
  ],
  matchField: () => undefined,
}

export function WidgetSettings({ project }: { project: ProjectDetail }) {
  return (
    <SettingsForm project={project} shape={SHAPE}>
      {(state) => (
        <>
          <FieldSet label={t('What readers are asked')} hint={t('A change shows with the next deployment.')}>
            <div class="divide-y divide-line rounded-md border border-line">
              {WIDGETS.map((name) => (
                <WidgetRow key={name} name={name} {...state} />
              ))}
            </div>
          </FieldSet>
          <FieldSet label={t('What a reader sees')}>
            <Sketch shows={(name) => isShown(state.draft, name)} />
          </FieldSet>
          <FieldSet label={t('In exported bundles')}>
            <Switch
              label={t('Bundles gather feedback too')}
              about={t(
                'Their pages then send it to this server. When off, nothing in a bundle contacts a server, and feedback stays with the reader.',
              )}
              isOn={state.draft.bundles}
              isOff={!state.mayChange}
              onChange={(bundles) => state.set({ bundles })}
            />
          </FieldSet>
        </>
      )}
    </SettingsForm>
  )
}

function isShown({ widgets }: WidgetDraft, name: Widget): boolean {
  return widgets[name] === 'site' ? WIDGET_LABELS[name].isOnByDefault : widgets[name] === 'on'
}

function WidgetRow({ name, draft, set, mayChange }: SettingsState<WidgetDraft> & { name: Widget }) {
  const { label, about, isOnByDefault } = WIDGET_LABELS[name]
  return (
    <div class="flex flex-wrap items-center gap-x-4 gap-y-2 px-3 py-2">
      <div class="min-w-48 flex-1">
        <p>{label}</p>
        <p class="text-13 text-soft">{about}</p>
      </div>
      <Select
        size="small"
        isFluid
        class="w-56 max-sm:w-full"
        aria-label={label}
        disabled={!mayChange}
        value={draft.widgets[name]}
        options={[
          {
            value: 'site',
            label: isOnByDefault ? t('docs.json decides (else on)') : t('docs.json decides (else off)'),
          },
          { value: 'on', label: t('On') },
          { value: 'off', label: t('Off') },
        ]}
        onChange={(say) => set({ widgets: { ...draft.widgets, [name]: say as WidgetChoice } })}
      />
    </div>
  )
}

const COMMAND = 'octavo start'

/** Non-interactive preview of the end of a page. */
function Sketch({ shows }: { shows: (name: Widget) => boolean }) {
  const isEmpty = WIDGETS.every((name) => !shows(name))
  return (
    <div aria-hidden="true" class="rounded-md border border-line bg-sunken px-5 py-5 text-13 select-none">
      <div class="mx-auto max-w-md rounded-md border border-line bg-raised p-4 shadow-low">
        <div class="space-y-2">
          <div class="h-2 w-3/4 rounded-full bg-neutral-4" />
          <div class="h-2 w-full rounded-full bg-neutral-4" />
          <div class="h-2 w-2/3 rounded-full bg-neutral-4" />
        </div>
        <div class="mt-4 flex items-center justify-between rounded-sm border border-line bg-sunken px-3 py-2 font-mono text-12 text-soft">
          <span>{COMMAND}</span>
          <span class="flex gap-2">
            {shows('code') && <Icon name="message-square" size={14} class="text-accent-11" />}
            <Icon name="copy" size={14} />
          </span>
        </div>
        <div class="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-3 text-12 text-soft">
          {shows('thumbs') && (
            <span class="flex items-center gap-2">
              {t('Was this page helpful?')}
              <SketchButton icon="thumbs-up">{t('Yes')}</SketchButton>
              <SketchButton icon="thumbs-down">{t('No')}</SketchButton>
            </span>
          )}
          {(shows('suggestEdit') || shows('raiseIssue')) && (
            <span class="flex gap-3">
              {shows('suggestEdit') && <span class="underline">{t('Suggest an edit')}</span>}
              {shows('raiseIssue') && <span class="underline">{t('Raise an issue')}</span>}
            </span>
          )}
          {isEmpty && <span>{t('The page ends without any of them.')}</span>}
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
