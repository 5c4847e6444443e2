/** Settings of previews: which branches get one, who may read them, and how long they are retained. */

import { useState } from 'preact/hooks'
import { MAX_PREVIEW_DAYS } from '../../../../../src/base/api/form-limits.ts'
import type { PreviewSettings } from '../../../../../src/features/hosting/operations/previews.ts'
import type { Publishing } from '../../../../../src/features/hosting/operations/publishing.ts'
import { internal } from '../../api/internal.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/choice.tsx'
import { SubmissionForm, useFormSubmission } from '../../ui/form.tsx'
import { parseNameList } from '../../ui/parse-name-list.ts'
import { Switch } from '../../ui/switch.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'

const MODES = [
  { value: 'off', label: t('Off'), about: t('Only those that people ask for.') },
  { value: 'pull_requests', label: t('Pull requests'), about: t('While they are open. Needs the webhook.') },
  { value: 'branches', label: t('Branches'), about: t('Those whose names fit the patterns below.') },
] as const

const ACCESS = [
  {
    value: 'public',
    label: t('Anyone with the address'),
    about: t('Nobody guesses it, and search engines stay away.'),
  },
  { value: 'members', label: t('Members'), about: t('After signing in to this dashboard.') },
  {
    value: 'password',
    label: t('By password'),
    about: t('Passwords and signed links of the site, and its members.'),
  },
] as const

const FIELDS = ['previews/branches', 'previews/days'] as const

export function PreviewSettingsForm({
  projectId,
  publishing,
  onSaved,
}: {
  projectId: string
  publishing: Publishing
  onSaved: (publishing: Publishing) => void
}) {
  const [wanted, setWanted] = useState<PreviewSettings>(publishing.previews)
  const [branches, setBranches] = useState(publishing.previews.branches.join(', '))
  const [days, setDays] = useState(String(publishing.previews.days))
  const sending = useFormSubmission(FIELDS)
  const set = (part: Partial<PreviewSettings>) => setWanted({ ...wanted, ...part })
  const save = async () => {
    const previews = { ...wanted, branches: parseNameList(branches), days: Number(days) }
    onSaved(await internal('updatePublishing', { params: { projectId }, body: { previews } }))
    toast({ kind: 'done', title: t('Saved') })
  }
  if (publishing.previewDomain === null) return <NoPreviews />
  return (
    <section class="space-y-4">
      <div>
        <h3 class="font-medium">{t('Previews')}</h3>
        <p class="text-13 text-soft">
          {t('Built with each push, told to the pull request, and removed when it is merged or closed.')}
        </p>
      </div>
      <SubmissionForm id="preview-settings" sending={sending} onSubmit={save}>
        <div class="space-y-4">
          <Chosen {...{ wanted, set, branches, setBranches, days, setDays }} faults={sending.faults} />
          <Button type="submit" size="small" isBusy={sending.isBusy}>
            {t('Save')}
          </Button>
        </div>
      </SubmissionForm>
    </section>
  )
}

function Chosen({
  wanted,
  set,
  branches,
  setBranches,
  days,
  setDays,
  faults,
}: {
  wanted: PreviewSettings
  set: (part: Partial<PreviewSettings>) => void
  /** Branch patterns as typed. */
  branches: string
  setBranches: (text: string) => void
  days: string
  setDays: (text: string) => void
  faults: Partial<Record<(typeof FIELDS)[number], string>>
}) {
  return (
    <>
      <RadioGroup
        label={t('What gets a preview')}
        choices={MODES}
        value={wanted.mode}
        onChange={(mode) => set({ mode })}
      />
      {wanted.mode === 'branches' && (
        <TextField
          label={t('Names of branches')}
          hint={t('Separated by commas; * matches anything.')}
          error={faults['previews/branches']}
          value={branches}
          onText={setBranches}
        />
      )}
      <RadioGroup
        label={t('Who may read previews')}
        choices={ACCESS}
        value={wanted.access}
        onChange={(access) => set({ access })}
      />
      <TextField
        label={t('Days after the last push')}
        error={faults['previews/days']}
        type="number"
        min={1}
        max={MAX_PREVIEW_DAYS}
        value={days}
        onText={setDays}
      />
      <Switch
        label={t('Pull requests from forks')}
        about={t('Anybody may open one, and what its pages run is run by whoever opens the preview.')}
        isOn={wanted.forks}
        onChange={(forks) => set({ forks })}
      />
    </>
  )
}

function NoPreviews() {
  return (
    <section>
      <h3 class="font-medium">{t('Previews')}</h3>
      <p class="text-13 text-soft">
        {t(
          'The plan has no previews, or this server has no domain for them: its operators set one on the page Server.',
        )}
      </p>
    </section>
  )
}
