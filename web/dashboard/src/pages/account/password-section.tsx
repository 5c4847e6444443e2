import { callAuth } from '../../api/send.ts'
import { openDialog } from '../../app/dialogs.tsx'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { textOf } from '../../forms/draft.ts'
import { FieldsDialog } from '../../forms/fields-form.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { newPasswordField } from '../sign-in/new-password.tsx'
import { sessionsQuery } from './sessions-section.tsx'

export function PasswordSection() {
  const { email } = useUser()
  return (
    <Section
      title={t('Password')}
      about={t('Changing it signs you out everywhere else.')}
      actions={<Button onClick={() => changePassword(email)}>{t('Change password')}</Button>}
    >
      {null}
    </Section>
  )
}

function changePassword(email: string): void {
  openDialog((close) => (
    <FieldsDialog
      title={t('Change password')}
      action={t('Change')}
      width="sm"
      fields={(draft) => [
        <input key="user" type="text" class="hidden" readOnly autocomplete="username" value={email} />,
        {
          name: 'current',
          kind: 'password',
          label: t('Current password'),
          input: { required: true, autoFocus: true, autocomplete: 'current-password' },
        },
        newPasswordField(draft, t('New password')),
      ]}
      onSubmit={async (_, draft) => {
        await callAuth('change-password', {
          currentPassword: textOf(draft, 'current'),
          newPassword: textOf(draft, 'password'),
        })
        void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
        toast({
          kind: 'done',
          title: t('Password changed'),
          detail: t('All other sessions were signed out.'),
        })
        close()
      }}
      onClose={close}
    />
  ))
}
