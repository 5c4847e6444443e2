/** Test mail that operators send to themselves. */
import { renderMail } from './mail-content.ts'

export function createTestMail(publicUrl: string) {
  const { host } = new URL(publicUrl)
  return renderMail({
    subject: `Test mail of ${host}`,
    heading: 'Mail works',
    paragraphs: [
      `This email was sent from the Server page of the dashboard at ${host}. Invitations, password reset links and notifications are sent the same way.`,
    ],
    action: { label: 'Open the dashboard', href: publicUrl },
    foot: ['You tested the mail server of this dashboard.'],
  })
}
