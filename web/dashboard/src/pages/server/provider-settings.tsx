/** Single sign-on of the server, and of single organizations. */
import { useState } from 'preact/hooks'
import { DEFAULT_PROVIDER_NAME } from '../../../../../src/base/api/provider-name.ts'
import type {
  InstanceProviderBody,
  InstanceSignIn,
  OrganizationProvider,
  OrganizationProviderBody,
} from '../../../../../src/features/accounts/operations/sign-in-settings.ts'
import { internal, internalKey } from '../../api/internal.ts'
import { confirmFirst, openDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { reloadSession, useSession } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { isSame, textOf } from '../../forms/draft.ts'
import type { Draft, Entry } from '../../forms/field-spec.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { SettingsForm } from '../../forms/settings-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/card.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { FieldSet } from '../../ui/field.tsx'
import { ItemRow, ItemRows } from '../../ui/item-rows.tsx'
import { t } from '../../words/words.ts'
import { ROLE_NAMES } from '../organization/role-labels.ts'
import {
  EnvironmentSettings,
  FindingList,
  type Findings,
  secretField,
  UnusableSecret,
} from './server-settings.tsx'

export async function updateSignInCache(saved: InstanceSignIn): Promise<void> {
  queryClient.setQueryData(internalKey('getInstanceSignIn'), saved)
  await reloadSession()
}

export function ServerProvider({ signIn }: { signIn: InstanceSignIn }) {
  const { organizations } = useSession()
  const { source, issuer, clientId, name, domains, redirectUrl, secret } = signIn
  if (source === 'environment')
    return (
      <EnvironmentSettings
        variables={signIn.variables}
        rows={[
          [t('Issuer'), issuer],
          [t('Client ID'), clientId],
          [t('Button'), name],
          [t('Allowed domains'), domains.join(', ') || t('none', { context: 'domains' })],
          [t('Redirect URL'), redirectUrl],
        ]}
      />
    )
  return (
    <>
      <UnusableSecret stored={secret} />
      <SettingsForm
        operation="updateInstanceProvider"
        stored={signIn}
        read={(stored) => ({ ...stored, secret: '', isOn: stored.issuer !== null })}
        fields={(draft) => [
          {
            name: 'isOn',
            kind: 'switch',
            label: t('Single sign-on'),
            help: t('Through an OpenID Connect provider, such as Keycloak, Entra ID, Google or Okta.'),
          },
          ...providerFields(draft, { redirectUrl, secret, organizations, isHidden: draft.isOn !== true }),
        ]}
        trial={{
          isOn: ({ isOn }) => isOn === true,
          run: async (_, draft) =>
            describeTest(await internal('testInstanceProvider', { body: toProviderBody(draft) })),
        }}
        save={async (_, { draft }) => {
          const saved = await internal('updateInstanceProvider', { body: toProviderBody(draft) })
          await updateSignInCache(saved)
          return saved
        }}
      />
    </>
  )
}

function toProviderBody(draft: Draft): InstanceProviderBody {
  const text = (name: string) => textOf(draft, name).trim()
  const isOn = draft.isOn === true
  return {
    name: text('name') || DEFAULT_PROVIDER_NAME,
    role: (text('role') || 'viewer') as InstanceSignIn['role'],
    organizationId: text('organizationId') || null,
    vouchesForDomains: draft.vouchesForDomains === true,
    asksSecondFactor: draft.asksSecondFactor === true,
    // Empty fields are sent too, so that the server reports them as missing.
    issuer: isOn ? text('issuer') || '-' : null,
    clientId: isOn ? text('clientId') || null : null,
    domains: isOn
      ? text('domains')
          .split(/[\s,]+/)
          .filter(Boolean)
      : [],
    ...(isOn && text('secret') !== '' && { secret: text('secret') }),
  }
}

/**
 * Returns the fields of a provider: its URL, Octavo's client credentials, the users who may join, and the claims that
 * are used.
 */
function providerFields(
  draft: Draft,
  {
    redirectUrl,
    secret,
    organizations,
    isHidden = false,
  }: Pick<InstanceSignIn, 'redirectUrl' | 'secret'> & {
    /** Null for the provider of an organization, whose users join this organization only. */
    organizations: readonly { id: string; name: string }[] | null
    isHidden?: boolean
  },
): readonly Entry[] {
  const isOwn = organizations === null
  const isClosed = isHidden || textOf(draft, 'domains').trim() === ''
  return [
    !isHidden && (
      <FieldSet label={t('Redirect URL')} hint={t('Register exactly this URL at the provider.')}>
        <CopyField text={redirectUrl} label={t('Redirect URL')} />
      </FieldSet>
    ),
    {
      name: 'issuer',
      label: t('Issuer'),
      help: t(
        'The part before /.well-known/openid-configuration. A URL in this server’s own network is allowed.',
      ),
      ...{ isHidden, isMono: true, isOptional: false, input: { type: 'url' } },
    },
    {
      name: 'clientId',
      label: t('Client ID'),
      ...{ isHidden, isMono: true, isOptional: false, input: { autocomplete: 'off' } },
    },
    secretField({ name: 'secret', label: t('Client secret'), isHidden }, secret),
    {
      name: 'name',
      label: t('Button'),
      help: t('Shown as “Continue with …” on the sign-in page.'),
      ...{ isHidden, input: { autocomplete: 'off' } },
    },
    {
      name: 'domains',
      label: isOwn ? t('Domains') : t('Email domains whose users join without an invitation'),
      help: isOwn
        ? t('Domains of email addresses, separated by commas. Nobody else can use this provider.')
        : t('Domains of email addresses, separated by commas. Everyone else needs an invitation.'),
      ...{ isHidden, isOptional: !isOwn, example: 'example.com' },
    },
    {
      name: 'organizationId',
      kind: 'select',
      label: t('They join'),
      isHidden: isClosed || isOwn,
      choices: [
        { value: '', label: t('The oldest organization') },
        ...(organizations ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ],
    },
    {
      name: 'role',
      kind: 'select',
      usual: 'viewer',
      label: t('Role'),
      isHidden: isClosed,
      choices: (['viewer', 'editor', 'admin'] as const).map((value) => ({ value, label: ROLE_NAMES[value] })),
    },
    {
      name: 'vouchesForDomains',
      label: t('Treat email addresses in these domains as verified'),
      help: t('For a provider that never sends email_verified. Its addresses in other domains are refused.'),
      isHidden: isClosed,
    },
    {
      name: 'asksSecondFactor',
      label: t('The provider asks for a second factor'),
      help: t('Octavo won’t ask for a code in that case.'),
      isHidden,
    },
  ]
}

function describeTest(findings: Findings) {
  const hasPassed = findings.faults.length === 0
  return {
    hasPassed,
    title: hasPassed
      ? t('The provider responds and knows this client')
      : t('Nobody could sign in with these settings'),
    details: (
      <>
        <FindingList {...findings} />
        {hasPassed && <p>{t('Register the redirect URL there, then sign in once to be sure.')}</p>}
      </>
    ),
  }
}

/**
 * Single sign-on of organizations, limited to users with email addresses of the organization's domains, who join that
 * organization only.
 */
export function OrganizationProviders({ signIn }: { signIn: InstanceSignIn }) {
  const open = (provider: OrganizationProvider | null) =>
    openDialog((close) => <ProviderDialog provider={provider} onClose={close} />)
  return (
    <div class="mt-6 border-t border-line pt-6">
      <div class="mb-3 flex items-center justify-between gap-4">
        <div>
          <h3 class="font-medium">{t('Single sign-on for organizations')}</h3>
          <p class="text-13 text-soft">
            {t(
              'For people with email addresses in an organization’s domains. They join only that organization.',
            )}
          </p>
        </div>
        <Button icon="plus" onClick={() => open(null)}>
          {t('Add a provider')}
        </Button>
      </div>
      <ItemRows label={t('Single sign-on for organizations')}>
        {signIn.organizations.map((provider) => (
          <ItemRow
            key={provider.organizationId}
            title={provider.organizationName}
            about={`${provider.issuer} · ${provider.domains.join(', ')}`}
          >
            <Button size="small" onClick={() => open(provider)}>
              {t('Change')}
            </Button>
            <Button size="small" look="quiet" onClick={() => removeProvider(provider)}>
              {t('Remove')}
            </Button>
          </ItemRow>
        ))}
      </ItemRows>
    </div>
  )
}

function ProviderDialog({
  provider,
  onClose,
}: {
  provider: OrganizationProvider | null
  onClose: () => void
}) {
  const { publicUrl } = useSession()
  // Problems found in exactly this draft; submitting it again saves it anyway.
  const [doubt, setDoubt] = useState<{ draft: Draft; findings: Findings } | null>(null)
  const isDoubted = (draft: Draft) => doubt !== null && isSame(doubt.draft, draft)
  return (
    <FieldsDialog
      operation="updateOrganizationProvider"
      title={provider?.organizationName ?? t('Add a provider')}
      action={(draft) => (isDoubted(draft) ? t('Save anyway') : t('Test and save'))}
      noValidate
      initial={{ name: DEFAULT_PROVIDER_NAME, ...provider, secret: '', isOn: true }}
      fields={(draft) => [
        {
          name: 'organizationId',
          label: t('Organization ID'),
          help: t('Part of the URL of the organization’s pages. Begins with org_.'),
          isHidden: provider !== null,
          isMono: true,
          input: { autoFocus: true },
        },
        ...providerFields(draft, {
          redirectUrl: `${publicUrl}/auth/callback/${textOf(draft, 'organizationId').trim() || 'org_…'}`,
          secret: provider?.secret ?? null,
          organizations: null,
        }),
        isDoubted(draft) && (
          <div role="alert">
            <Notice tone="danger" title={t('Nobody could sign in with these settings')}>
              {doubt && <FindingList {...doubt.findings} />}
            </Notice>
          </div>
        ),
      ]}
      onSubmit={async (_, draft) => {
        const body = toProviderBody({ ...draft, isOn: true }) as OrganizationProviderBody
        if (!isDoubted(draft)) {
          const findings = await internal('testOrganizationProvider', { body })
          if (findings.faults.length > 0) return setDoubt({ draft, findings })
        }
        await updateSignInCache(await internal('updateOrganizationProvider', { body }))
        toast({ kind: 'done', title: t('Saved') })
        onClose()
      }}
      onClose={onClose}
    />
  )
}

function removeProvider(provider: OrganizationProvider): void {
  const { organizationId, organizationName, name, domains, role } = provider
  confirmFirst({
    title: t('Remove single sign-on for {name}?', { name: organizationName }),
    action: t('Remove'),
    text: t('People who used it need a password or a passkey to sign in.'),
    run: async () => {
      const body = { ...toProviderBody({ name, role }), domains, organizationId }
      await updateSignInCache(await internal('updateOrganizationProvider', { body }))
    },
  })
}
