import type { ProjectDetail } from '../../../../../src/features/projects/operations/projects.ts'
import { CopyId } from '../../ui/copy.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { SettingsForm, type SettingsShape } from './settings-form.tsx'

const SHAPE: SettingsShape<{ name: string }> = {
  toDraft: ({ name }) => ({ name }),
  toChange: ({ name }) => ({ name }),
  toLabelledValues: ({ name }) => [{ label: t('Name'), value: name }],
  matchField: (path) => (path === 'name' ? 'name' : undefined),
}

export function GeneralSettings({ project }: { project: ProjectDetail }) {
  return (
    <SettingsForm project={project} shape={SHAPE} below={<Ids project={project} />}>
      {({ draft, set, faults }) => (
        <TextField
          label={t('Name')}
          hint={t('What the project is called here; readers do not see it.')}
          error={faults.name}
          autocomplete="off"
          value={draft.name}
          onText={(name) => set({ name })}
        />
      )}
    </SettingsForm>
  )
}

function Ids({ project }: { project: ProjectDetail }) {
  return (
    <div class="mt-10">
      <Section title={t('Ids')} about={t('For the API and the command line.')}>
        <dl class="divide-y divide-line rounded-md border border-line text-13">
          <div class="flex min-h-(--row) items-center gap-3 px-4">
            <dt class="w-16 shrink-0 text-soft">{t('Project')}</dt>
            <dd class="min-w-0">
              <CopyId id={project.id} label={t('Copy the id of the project')} />
            </dd>
          </div>
          <div class="flex min-h-(--row) items-center gap-3 px-4">
            <dt class="w-16 shrink-0 text-soft">{t('Site')}</dt>
            <dd class="min-w-0">
              <CopyId id={project.siteId} label={t('Copy the id of the site')} />
            </dd>
          </div>
        </dl>
      </Section>
    </div>
  )
}
