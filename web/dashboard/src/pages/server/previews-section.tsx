import type {
  InstancePreviews,
  PreviewDomainTrial,
} from '../../../../../src/features/hosting/operations/preview-settings.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { queryClient } from '../../app/query-client.ts'
import { toast } from '../../app/toasts.ts'
import { Notice } from '../../ui/card.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { plural, t } from '../../words/words.ts'
import { FindingLines } from '../finding-lines.tsx'
import { EnvironmentSettings, LastChange } from './environment-settings.tsx'
import { FailedTrial, PassedTrial, TrialForm, useTrialForm } from './trial-form.tsx'

const EXAMPLE_DOMAIN = 'previews.example.net'
const FIELDS = ['domain'] as const

interface Draft {
  domain: string
}

export function PreviewsSection({ previews }: { previews: InstancePreviews }) {
  if (previews.source !== 'environment') return <PreviewsForm previews={previews} />
  const rows = [[t('Domain'), previews.domain]] as const
  const advice = t(
    'To set the domain here, remove {variables} from the environment of the server and restart it.',
    {
      variables: previews.variables.join(', '),
    },
  )
  return <EnvironmentSettings advice={advice} rows={rows} />
}

function PreviewsForm({ previews }: { previews: InstancePreviews }) {
  const form = useTrialForm({
    fields: FIELDS,
    stored: toDraft(previews),
    isOn: ({ domain }) => domain.trim() !== '',
    test: (draft: Draft) => internal('testInstancePreviews', { body: toBody(draft) }),
    hasPassed: ({ faults }) => faults.length === 0,
    save: async (draft) => {
      const saved = await internal('updateInstancePreviews', { body: toBody(draft) })
      queryClient.setQueryData(internalKey('getInstancePreviews'), saved)
      toast({ kind: 'done', title: saved.domain === null ? t('Previews are off') : t('The domain is saved') })
      return toDraft(saved)
    },
  })
  return (
    <>
      <TrialForm
        form={form}
        warning={t('Your changes to the domain of previews will be lost.')}
        notice={previewsNotice}
      >
        <TextField
          label={t('Domain')}
          isOptional
          error={form.sending.faults.domain}
          hint={domainHint(previews)}
          isMono
          maxLength={220}
          autocomplete="off"
          placeholder={EXAMPLE_DOMAIN}
          value={form.draft.domain}
          onText={(domain) => form.set({ domain })}
        />
        {form.isDirty && (
          <DomainMoveNotice previews={previews} wanted={form.draft.domain.trim() || previews.usual} />
        )}
      </TrialForm>
      <LastChange of={previews} />
    </>
  )
}

function domainHint({ usual }: InstancePreviews): string {
  const rule = t(
    'Point a wildcard DNS record ({example}) at this server, with a certificate for these names. Take a domain with nothing else below it.',
    { example: `*.${EXAMPLE_DOMAIN}` },
  )
  const without =
    usual === null
      ? t('Leave it empty for no previews.')
      : t('Leave it empty for {domain}, on this machine alone.', { domain: usual })
  return `${rule} ${without}`
}

/** Warning about open previews before the domain is changed. */
function DomainMoveNotice({
  previews: { domain, open },
  wanted,
}: {
  previews: InstancePreviews
  wanted: string | null
}) {
  if (domain === null || open === 0 || domain === wanted) return null
  return (
    <Notice tone="warning" title={movesTitle(open, wanted)}>
      <p>
        {t(
          'At the addresses below {domain} readers are told within seconds that there is no site, and whoever was signed in to a preview signs in again.',
          { domain },
        )}
      </p>
      {wanted !== null && (
        <p>
          {t('Pull requests are told the new addresses; links that were passed on by hand stop working.')}
        </p>
      )}
    </Notice>
  )
}

function movesTitle(open: number, wanted: string | null): string {
  return wanted === null
    ? plural(open, '{count} preview will have no address', '{count} previews will have no address')
    : plural(open, '{count} preview moves to a new address', '{count} previews move to new addresses')
}

function previewsNotice({ faults, notes }: PreviewDomainTrial, onSaveAnyway: () => void) {
  const lines = [...faults, ...notes].map((finding) => (
    <p key={finding.sentence}>
      <FindingLines {...finding} />
    </p>
  ))
  if (faults.length > 0)
    return (
      <FailedTrial title={t('Readers would not get to previews there')} onSaveAnyway={onSaveAnyway}>
        {lines}
      </FailedTrial>
    )
  return (
    <PassedTrial
      title={t('Names below this domain lead to this server')}
      tone={notes.length > 0 ? 'warning' : 'success'}
    >
      {lines}
    </PassedTrial>
  )
}

function toDraft({ source, domain }: InstancePreviews): Draft {
  return { domain: source === 'dashboard' ? (domain ?? '') : '' }
}

function toBody({ domain }: Draft) {
  return { domain: domain.trim() || null }
}
