import { useState } from 'preact/hooks'
import { callAuth } from '../../api/send.ts'
import { queryClient } from '../../app/query-client.ts'
import { useUser } from '../../app/session.ts'
import { toast } from '../../app/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Form } from '../../ui/form.tsx'
import { Section } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/text-field.tsx'
import { t } from '../../words/words.ts'
import { NewPasswordField } from '../sign-in/new-password.tsx'
import { sessionsQuery } from './sessions-section.tsx'

export function PasswordSection() {
  const { email } = useUser()
  const [isOpen, setOpen] = useState(false)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const close = () => {
    setOpen(false)
    setCurrent('')
    setNext('')
  }
  const save = async () => {
    await callAuth('change-password', { currentPassword: current, newPassword: next })
    void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    toast({
      kind: 'done',
      title: t('Password changed'),
      detail: t('All other sessions were signed out.'),
    })
    close()
  }
  return (
    <Section
      title={t('Password')}
      about={t('Changing it signs you out everywhere else.')}
      actions={!isOpen && <Button onClick={() => setOpen(true)}>{t('Change password')}</Button>}
    >
      {isOpen && (
        <Form onSubmit={save}>
          {({ isBusy }) => (
            <>
              <input type="text" class="hidden" readOnly autocomplete="username" value={email} />
              <PasswordField
                label={t('Current password')}
                required
                autoFocus
                autocomplete="current-password"
                value={current}
                onText={setCurrent}
              />
              <NewPasswordField label={t('New password')} value={next} onChange={setNext} />
              <div class="flex gap-2">
                <Button type="submit" look="primary" isBusy={isBusy}>
                  {t('Change')}
                </Button>
                <Button onClick={close}>{t('Cancel')}</Button>
              </div>
            </>
          )}
        </Form>
      )}
    </Section>
  )
}
