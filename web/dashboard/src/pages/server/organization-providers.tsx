import { useState } from 'preact/hooks'
import type {
  InstanceSignIn,
  OrganizationProvider,
  ProviderConnectionTest,
} from '../../../../../src/features/accounts/operations/sign-in-settings.ts'
import { internal } from '../../api/internal.ts'
import { useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { type ProviderDraft, toProviderBody, toProviderDraft } from './provider-draft.ts'
import { ProviderFields, TrialFindings } from './provider-fields.tsx'

const FIELDS = ['organizationId', 'issuer', 'clientId', 'secret', 'name', 'domains', 'role'] as const

type SaveHandler = (saved: InstanceSignIn) => Promise<void>

/** Single sign-on of organizations: limited to addresses of their domains and to membership in that organization. */
export function OrganizationProviders({ signIn, onSaved }: { signIn: InstanceSignIn; onSaved: SaveHandler }) {
  const [open, setOpen] = useState<OrganizationProvider | 'new' | null>(null)
  const [removed, setRemoved] = useState<OrganizationProvider | null>(null)
  return (
    <div class="mt-6 border-t border-line pt-6">
      <div class="flex items-center justify-between gap-4">
        <div>
          <h3 class="font-medium">{t('Single sign-on of organizations')}</h3>
          <p class="text-13 text-soft">
            {t('For people with addresses of their domains. It leads into the organization alone.')}
          </p>
        </div>
        <Button icon="plus" onClick={() => setOpen('new')}>
          {t('Add a provider')}
        </Button>
      </div>
      <ul class="mt-3 divide-y divide-line">
        {signIn.organizations.map((provider) => (
          <li key={provider.organizationId} class="flex flex-wrap items-center justify-between gap-2 py-2">
            <div class="min-w-0">
              <p class="truncate">{provider.organizationName}</p>
              <p class="truncate text-13 text-soft">
                {provider.issuer} · {provider.domains.join(', ')}
              </p>
            </div>
            <div class="flex gap-2">
              <Button size="small" onClick={() => setOpen(provider)}>
                {t('Change')}
              </Button>
              <Button size="small" look="quiet" onClick={() => setRemoved(provider)}>
                {t('Remove')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {open !== null && (
        <ProviderDialog
          provider={open === 'new' ? null : open}
          onSaved={onSaved}
          onClose={() => setOpen(null)}
        />
      )}
      {removed !== null && (
        <RemoveDialog provider={removed} onSaved={onSaved} onClose={() => setRemoved(null)} />
      )}
    </div>
  )
}

interface DialogProps<Provider> {
  provider: Provider
  onSaved: SaveHandler
  onClose: () => void
}

function ProviderDialog({ provider, onSaved, onClose }: DialogProps<OrganizationProvider | null>) {
  const { publicUrl } = useSession()
  const [organizationId, setOrganizationId] = useState(provider?.organizationId ?? '')
  const [draft, setDraft] = useState<ProviderDraft>(toProviderDraft(provider))
  // Problems found in exactly this draft; submitting it again saves it anyway.
  const [doubt, setDoubt] = useState<{ draft: ProviderDraft; trial: ProviderConnectionTest } | null>(null)
  const isDoubted = doubt?.draft === draft
  const save = async () => {
    const body = { ...toProviderBody(draft), organizationId: organizationId.trim() }
    const trial = isDoubted ? doubt.trial : await internal('testOrganizationProvider', { body })
    if (!isDoubted && trial.faults.length > 0) return setDoubt({ draft, trial })
    await onSaved(await internal('updateOrganizationProvider', { body }))
    toast({ kind: 'done', title: t('Single sign-on is saved') })
    onClose()
  }
  const place = {
    redirectUrl: `${publicUrl}/auth/callback/${organizationId.trim() || 'org_…'}`,
    secret: provider?.secret ?? null,
  }
  return (
    <FormDialog
      title={provider === null ? t('Add a provider') : provider.organizationName}
      action={isDoubted ? t('Save anyway') : t('Test and save')}
      fields={FIELDS}
      noValidate
      onSubmit={save}
      onClose={onClose}
    >
      {(faults) => (
        <>
          {provider === null && (
            <OrganizationField
              error={faults.organizationId}
              value={organizationId}
              onText={setOrganizationId}
            />
          )}
          <ProviderFields
            place={place}
            draft={draft}
            faults={faults}
            isOfOrganization
            onChange={(change) => setDraft({ ...draft, ...change })}
          />
          {isDoubted && (
            <div role="alert">
              <Notice tone="danger" title={t('Nobody could sign in with this')}>
                <TrialFindings trial={doubt.trial} />
              </Notice>
            </div>
          )}
        </>
      )}
    </FormDialog>
  )
}

function OrganizationField(field: {
  error: string | undefined
  value: string
  onText: (text: string) => void
}) {
  return (
    <TextField
      {...field}
      label={t('Id of the organization')}
      hint={t('It stands in the address of its pages, and begins with org_.')}
      isMono
      autoFocus
      maxLength={64}
    />
  )
}

function RemoveDialog({ provider, onSaved, onClose }: DialogProps<OrganizationProvider>) {
  const { organizationId, organizationName } = provider
  const remove = async () => {
    const { domains } = provider
    const body = { ...toProviderBody({ ...toProviderDraft(provider), isOn: false }), domains, organizationId }
    await onSaved(await internal('updateOrganizationProvider', { body }))
    onClose()
  }
  return (
    <ConfirmDialog
      title={t('Remove the single sign-on of {name}?', { name: organizationName })}
      action={t('Remove')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('People who came by it need a password or a passkey.')}</p>
    </ConfirmDialog>
  )
}
