// Made by `npm run client:generate` from the OpenAPI document: do not edit.

import type { Options } from '../http/options.js';
import type {
  AcceptCallData,
  AcceptCallResponse,
  AddGroupDevicesData,
  AddGroupDevicesResponse,
  AddMembersData,
  AddMembersResponse,
  ArchiveNotificationData,
  ArchiveNotificationResponse,
  BlockUserData,
  BlockUserResponse,
  CancelCallData,
  CancelCallResponse,
  ChangeConversationData,
  ChangeConversationOwnerData,
  ChangeConversationOwnerResponse,
  ChangeConversationResponse,
  ChangeConversationSettingsData,
  ChangeConversationSettingsResponse,
  ChangeDeviceData,
  ChangeDeviceGroupData,
  ChangeDeviceGroupResponse,
  ChangeDeviceResponse,
  ChangeDevicesData,
  ChangeDevicesResponse,
  ChangeKeyData,
  ChangeKeyResponse,
  ChangeMatchingDevicesData,
  ChangeMatchingDevicesResponse,
  ChangeMatchingUsersData,
  ChangeMatchingUsersResponse,
  ChangeOwnPasswordData,
  ChangeOwnPasswordResponse,
  ChangeProfileData,
  ChangeProfileResponse,
  ChangeUserData,
  ChangeUserResponse,
  ChangeUsersData,
  ChangeUsersResponse,
  ChangeWebhookData,
  ChangeWebhookResponse,
  ClearConversationData,
  ClearConversationResponse,
  CloseConversationData,
  CloseConversationResponse,
  ConfirmPushData,
  ConfirmPushResponse,
  CountUnreadMessagesData,
  CountUnreadMessagesResponse,
  CountUnreadNotificationsData,
  CountUnreadNotificationsResponse,
  CreateConversationData,
  CreateConversationResponse,
  CreateDeviceData,
  CreateDeviceGroupData,
  CreateDeviceGroupResponse,
  CreateDeviceResponse,
  CreateKeyData,
  CreateKeyResponse,
  CreateUserData,
  CreateUserResponse,
  CreateWebhookData,
  CreateWebhookResponse,
  DeleteConversationData,
  DeleteConversationResponse,
  DeleteDeviceData,
  DeleteDeviceGroupData,
  DeleteDeviceGroupResponse,
  DeleteDeviceResponse,
  DeleteDevicesData,
  DeleteDevicesResponse,
  DeleteMessageData,
  DeleteMessageResponse,
  DeleteNotificationData,
  DeleteNotificationResponse,
  DeletePushTargetData,
  DeletePushTargetResponse,
  DeleteUserPushTargetData,
  DeleteUserPushTargetResponse,
  DeleteWebhookData,
  DeleteWebhookResponse,
  EditMessageData,
  EditMessageResponse,
  EndCallData,
  EndCallResponse,
  EndNotificationSnoozeData,
  EndNotificationSnoozeResponse,
  EndOtherSessionsData,
  EndOtherSessionsResponse,
  EndSessionData,
  EndSessionResponse,
  EndUserSessionData,
  EndUserSessionResponse,
  EndUserSessionsData,
  EndUserSessionsResponse,
  GetActiveCallData,
  GetActiveCallResponse,
  GetAnnouncementData,
  GetAnnouncementResponse,
  GetCallData,
  GetCallDetailsData,
  GetCallDetailsResponse,
  GetCallResponse,
  GetCallStatisticsData,
  GetCallStatisticsResponse,
  GetClientConfigData,
  GetClientConfigResponse,
  GetConfigData,
  GetConfigResponse,
  GetConversationData,
  GetConversationDetailsData,
  GetConversationDetailsResponse,
  GetConversationResponse,
  GetCurrentUserData,
  GetCurrentUserResponse,
  GetDeviceCountsData,
  GetDeviceCountsResponse,
  GetDeviceData,
  GetDeviceGroupData,
  GetDeviceGroupResponse,
  GetDeviceGroupTreeData,
  GetDeviceGroupTreeResponse,
  GetDeviceResponse,
  GetHealthData,
  GetHealthResponse,
  GetMessageData,
  GetMessageResponse,
  GetOverviewData,
  GetOverviewResponse,
  GetPreferencesData,
  GetPreferencesResponse,
  GetPresenceData,
  GetPresenceResponse,
  GetProfileData,
  GetProfileResponse,
  GetPushConfigData,
  GetPushConfigResponse,
  GetPushHealthData,
  GetPushHealthResponse,
  GetUserData,
  GetUserResponse,
  GetWebhookData,
  GetWebhookDeliveryData,
  GetWebhookDeliveryResponse,
  GetWebhookResponse,
  HangUpCallData,
  HangUpCallResponse,
  ImportDevicesData,
  ImportDevicesResponse,
  InspectConversationData,
  InspectConversationResponse,
  IssueTokensData,
  IssueTokensResponse,
  ListAllCallsData,
  ListAllCallsResponse,
  ListAllConversationsData,
  ListAllConversationsResponse,
  ListAllSessionsData,
  ListAllSessionsResponse,
  ListAnnouncementsData,
  ListAnnouncementsResponse,
  ListAuditData,
  ListAuditResponse,
  ListBlocksData,
  ListBlocksResponse,
  ListCallsData,
  ListCallsResponse,
  ListConversationMembersData,
  ListConversationMembersResponse,
  ListConversationsData,
  ListConversationsResponse,
  ListDeviceGroupsData,
  ListDeviceGroupsResponse,
  ListDevicesData,
  ListDevicesResponse,
  ListGroupDevicesData,
  ListGroupDevicesResponse,
  ListKeysData,
  ListKeysResponse,
  ListMembersData,
  ListMembersResponse,
  ListMessagesData,
  ListMessagesResponse,
  ListNotificationsData,
  ListNotificationsResponse,
  ListPushTargetsData,
  ListPushTargetsResponse,
  ListReactionsData,
  ListReactionsResponse,
  ListReadersData,
  ListReadersResponse,
  ListSessionsData,
  ListSessionsResponse,
  ListUserPushTargetsData,
  ListUserPushTargetsResponse,
  ListUserSessionsData,
  ListUserSessionsResponse,
  ListUsersData,
  ListUsersResponse,
  ListWebhookDeliveriesData,
  ListWebhookDeliveriesResponse,
  ListWebhooksData,
  ListWebhooksResponse,
  LogInData,
  LogInResponse,
  LogOutData,
  LogOutResponse,
  MarkAllNotificationsReadData,
  MarkAllNotificationsReadResponse,
  MarkConversationReadData,
  MarkConversationReadResponse,
  MarkNotificationReadData,
  MarkNotificationReadResponse,
  MarkNotificationUnreadData,
  MarkNotificationUnreadResponse,
  MoveDeviceGroupsData,
  MoveDeviceGroupsResponse,
  MoveGroupDevicesData,
  MoveGroupDevicesResponse,
  PlaceCallData,
  PlaceCallResponse,
  PlaceDeviceGroupData,
  PlaceDeviceGroupResponse,
  PollEventsData,
  PollEventsResponse,
  ReactToMessageData,
  ReactToMessageResponse,
  RecallAnnouncementData,
  RecallAnnouncementResponse,
  RecallMessageData,
  RecallMessageResponse,
  RedeliverWebhookData,
  RedeliverWebhookResponse,
  RefreshTokensData,
  RefreshTokensResponse,
  RegisterPushTargetData,
  RegisterPushTargetResponse,
  RejectCallData,
  RejectCallResponse,
  RemoveGroupDevicesData,
  RemoveGroupDevicesResponse,
  RemoveMemberData,
  RemoveMemberResponse,
  RenewCallTokenData,
  RenewCallTokenResponse,
  ReplayWebhookData,
  ReplayWebhookResponse,
  ReportCallMediaData,
  ReportCallMediaResponse,
  RestoreNotificationData,
  RestoreNotificationResponse,
  RevokeKeyData,
  RevokeKeyResponse,
  RotateWebhookSecretData,
  RotateWebhookSecretResponse,
  SearchMessagesData,
  SearchMessagesResponse,
  SearchPeopleData,
  SearchPeopleResponse,
  SendCallSignalData,
  SendCallSignalResponse,
  SendHeartbeatData,
  SendHeartbeatResponse,
  SendMessageData,
  SendMessageResponse,
  SendNotificationData,
  SendNotificationResponse,
  SetTypingData,
  SetTypingResponse,
  SetUserPasswordData,
  SetUserPasswordResponse,
  SnoozeNotificationData,
  SnoozeNotificationResponse,
  TestPushTargetData,
  TestPushTargetResponse,
  TestUserPushTargetData,
  TestUserPushTargetResponse,
  TestWebhookData,
  TestWebhookResponse,
  UnblockUserData,
  UnblockUserResponse,
  UpdatePreferencesData,
  UpdatePreferencesResponse,
  UpsertDevicesData,
  UpsertDevicesResponse,
  UpsertUsersData,
  UpsertUsersResponse,
} from './types.gen.js';

/** Each method: operation id, route, and flags: `key` (takes an `Idempotency-Key`), `public` (no token), `csv` (CSV body). */
export const OPERATIONS: Readonly<Record<keyof Operations, Readonly<Record<string, string>>>> = {
  identity: {
    logIn: 'logIn POST /api/auth/login public',
    refreshTokens: 'refreshTokens POST /api/auth/refresh public',
    logOut: 'logOut POST /api/auth/logout public',
    getCurrentUser: 'getCurrentUser GET /api/auth/me',
    changeProfile: 'changeProfile PUT /api/auth/me',
    changeOwnPassword: 'changeOwnPassword PUT /api/auth/password',
    listSessions: 'listSessions GET /api/auth/sessions',
    endOtherSessions: 'endOtherSessions DELETE /api/auth/sessions',
    endSession: 'endSession DELETE /api/auth/sessions/{id}',
  },
  users: {
    list: 'listUsers GET /api/admin/users',
    create: 'createUser POST /api/admin/users key',
    changeMany: 'changeUsers PUT /api/admin/users/bulk',
    upsert: 'upsertUsers POST /api/admin/users/bulk',
    changeMatching: 'changeMatchingUsers PUT /api/admin/users/matching',
    get: 'getUser GET /api/admin/users/{id}',
    change: 'changeUser PUT /api/admin/users/{id}',
    setPassword: 'setUserPassword PUT /api/admin/users/{id}/password',
    issueTokens: 'issueTokens POST /api/admin/users/{id}/tokens',
    listSessions: 'listUserSessions GET /api/admin/users/{id}/sessions',
    endSessions: 'endUserSessions DELETE /api/admin/users/{id}/sessions',
    endSession: 'endUserSession DELETE /api/admin/users/{id}/sessions/{sessionId}',
    listAllSessions: 'listAllSessions GET /api/admin/sessions',
  },
  keys: {
    list: 'listKeys GET /api/admin/keys',
    create: 'createKey POST /api/admin/keys key',
    change: 'changeKey PUT /api/admin/keys/{id}',
    revoke: 'revokeKey DELETE /api/admin/keys/{id}',
  },
  audit: {
    list: 'listAudit GET /api/admin/audit',
  },
  events: {
    poll: 'pollEvents GET /api/events/poll',
  },
  calls: {
    place: 'placeCall POST /api/calls key',
    list: 'listCalls GET /api/calls',
    getActive: 'getActiveCall GET /api/calls/active',
    get: 'getCall GET /api/calls/{callId}',
    accept: 'acceptCall POST /api/calls/{callId}/accept',
    reject: 'rejectCall POST /api/calls/{callId}/reject',
    cancel: 'cancelCall POST /api/calls/{callId}/cancel',
    hangUp: 'hangUpCall POST /api/calls/{callId}/hangup',
    reportMedia: 'reportCallMedia POST /api/calls/{callId}/media-state',
    renewToken: 'renewCallToken POST /api/calls/{callId}/token',
    listAll: 'listAllCalls GET /api/admin/calls',
    end: 'endCall POST /api/admin/calls/{callId}/end',
    getDetails: 'getCallDetails GET /api/admin/calls/{callId}',
    sendSignal: 'sendCallSignal POST /api/calls/{callId}/signals',
  },
  deviceGroups: {
    getTree: 'getDeviceGroupTree GET /api/admin/device-groups/tree',
    getDeviceCounts: 'getDeviceCounts GET /api/admin/device-groups/device-counts',
    list: 'listDeviceGroups GET /api/admin/device-groups',
    create: 'createDeviceGroup POST /api/admin/device-groups key',
    move: 'moveDeviceGroups POST /api/admin/device-groups/move',
    get: 'getDeviceGroup GET /api/admin/device-groups/{id}',
    change: 'changeDeviceGroup PUT /api/admin/device-groups/{id}',
    delete: 'deleteDeviceGroup DELETE /api/admin/device-groups/{id}',
    place: 'placeDeviceGroup PUT /api/admin/device-groups/{id}/position',
    listGroupDevices: 'listGroupDevices GET /api/admin/device-groups/{id}/devices',
    addGroupDevices: 'addGroupDevices POST /api/admin/device-groups/{id}/devices',
    removeGroupDevices: 'removeGroupDevices DELETE /api/admin/device-groups/{id}/devices',
    moveGroupDevices: 'moveGroupDevices POST /api/admin/device-groups/{id}/devices/move',
  },
  devices: {
    upsert: 'upsertDevices POST /api/admin/devices/bulk',
    changeMany: 'changeDevices PUT /api/admin/devices/bulk',
    import: 'importDevices POST /api/admin/devices/import csv',
    list: 'listDevices GET /api/admin/devices',
    create: 'createDevice POST /api/admin/devices key',
    deleteMany: 'deleteDevices DELETE /api/admin/devices',
    changeMatching: 'changeMatchingDevices PUT /api/admin/devices/matching',
    get: 'getDevice GET /api/admin/devices/{id}',
    change: 'changeDevice PUT /api/admin/devices/{id}',
    delete: 'deleteDevice DELETE /api/admin/devices/{id}',
    sendHeartbeat: 'sendHeartbeat POST /api/devices/heartbeat',
  },
  system: {
    getHealth: 'getHealth GET /api/admin/health',
    getConfig: 'getConfig GET /api/admin/config',
  },
  notifications: {
    list: 'listNotifications GET /api/notifications',
    countUnread: 'countUnreadNotifications GET /api/notifications/unread-count',
    markAllRead: 'markAllNotificationsRead PUT /api/notifications/all/read',
    markRead: 'markNotificationRead PUT /api/notifications/{id}/read',
    markUnread: 'markNotificationUnread PUT /api/notifications/{id}/unread',
    archive: 'archiveNotification PUT /api/notifications/{id}/archive',
    restore: 'restoreNotification DELETE /api/notifications/{id}/archive',
    snooze: 'snoozeNotification PUT /api/notifications/{id}/snooze',
    endSnooze: 'endNotificationSnooze DELETE /api/notifications/{id}/snooze',
    delete: 'deleteNotification DELETE /api/notifications/{id}',
    send: 'sendNotification POST /api/admin/notifications key',
  },
  announcements: {
    list: 'listAnnouncements GET /api/admin/announcements',
    get: 'getAnnouncement GET /api/admin/announcements/{id}',
    recall: 'recallAnnouncement POST /api/admin/announcements/{id}/recall',
  },
  conversations: {
    listAll: 'listAllConversations GET /api/admin/conversations',
    getDetails: 'getConversationDetails GET /api/admin/conversations/{id}',
    close: 'closeConversation DELETE /api/admin/conversations/{id}',
    listConversationMembers: 'listConversationMembers GET /api/admin/conversations/{id}/members',
    inspect: 'inspectConversation POST /api/admin/conversations/{id}/inspections',
    list: 'listConversations GET /api/messages/conversations',
    create: 'createConversation POST /api/messages/conversations key',
    get: 'getConversation GET /api/messages/conversations/{id}',
    change: 'changeConversation PUT /api/messages/conversations/{id}',
    delete: 'deleteConversation DELETE /api/messages/conversations/{id}',
    changeOwner: 'changeConversationOwner PUT /api/messages/conversations/{id}/owner',
    changeSettings: 'changeConversationSettings PUT /api/messages/conversations/{id}/settings',
    markRead: 'markConversationRead POST /api/messages/conversations/{id}/read',
    countUnreadMessages: 'countUnreadMessages GET /api/messages/unread-count',
    listMembers: 'listMembers GET /api/messages/conversations/{id}/members',
    addMembers: 'addMembers POST /api/messages/conversations/{id}/members',
    removeMember: 'removeMember DELETE /api/messages/conversations/{id}/members/{userId}',
    setTyping: 'setTyping POST /api/messages/conversations/{id}/typing',
  },
  messages: {
    search: 'searchMessages GET /api/messages/search',
    list: 'listMessages GET /api/messages/conversations/{id}/messages',
    send: 'sendMessage POST /api/messages/conversations/{id}/messages key',
    get: 'getMessage GET /api/messages/{id}',
    edit: 'editMessage PUT /api/messages/{id}',
    delete: 'deleteMessage DELETE /api/messages/{id}',
    listReaders: 'listReaders GET /api/messages/{id}/readers',
    recall: 'recallMessage POST /api/messages/{id}/recall',
    reactTo: 'reactToMessage PUT /api/messages/{id}/reactions',
    listReactions: 'listReactions GET /api/messages/{id}/reactions',
    clearConversation: 'clearConversation POST /api/messages/conversations/{id}/clear',
  },
  people: {
    search: 'searchPeople GET /api/users',
    listBlocks: 'listBlocks GET /api/users/blocks',
    getProfile: 'getProfile GET /api/users/{id}',
    blockUser: 'blockUser PUT /api/users/{id}/block',
    unblockUser: 'unblockUser DELETE /api/users/{id}/block',
    getPresence: 'getPresence GET /api/presence',
  },
  preferences: {
    get: 'getPreferences GET /api/preferences',
    update: 'updatePreferences PUT /api/preferences',
  },
  clients: {
    getConfig: 'getClientConfig GET /api/client-config public',
  },
  webhooks: {
    list: 'listWebhooks GET /api/admin/webhooks',
    create: 'createWebhook POST /api/admin/webhooks key',
    get: 'getWebhook GET /api/admin/webhooks/{id}',
    change: 'changeWebhook PUT /api/admin/webhooks/{id}',
    delete: 'deleteWebhook DELETE /api/admin/webhooks/{id}',
    rotateSecret: 'rotateWebhookSecret POST /api/admin/webhooks/{id}/secret',
    test: 'testWebhook POST /api/admin/webhooks/{id}/test',
    listDeliveries: 'listWebhookDeliveries GET /api/admin/webhooks/{id}/deliveries',
    getDelivery: 'getWebhookDelivery GET /api/admin/webhooks/{id}/deliveries/{deliveryId}',
    redeliver: 'redeliverWebhook POST /api/admin/webhooks/{id}/deliveries/{deliveryId}/redeliver',
    replay: 'replayWebhook POST /api/admin/webhooks/{id}/replay',
  },
  push: {
    getConfig: 'getPushConfig GET /api/push/config',
    listTargets: 'listPushTargets GET /api/push/targets',
    registerTarget: 'registerPushTarget POST /api/push/targets',
    deleteTarget: 'deletePushTarget DELETE /api/push/targets/{id}',
    testTarget: 'testPushTarget POST /api/push/targets/{id}/test',
    confirm: 'confirmPush POST /api/push/receipts',
    getHealth: 'getPushHealth GET /api/admin/push',
    listUserTargets: 'listUserPushTargets GET /api/admin/users/{id}/push-targets',
    deleteUserTarget: 'deleteUserPushTarget DELETE /api/admin/push/targets/{id}',
    testUserTarget: 'testUserPushTarget POST /api/admin/push/targets/{id}/test',
  },
  statistics: {
    getCall: 'getCallStatistics GET /api/admin/stats/calls',
    getOverview: 'getOverview GET /api/admin/stats/overview',
  },
};

export interface Identity {
  /** Log in with account and password; returns an access token and a refresh token */
  logIn(options: Options<LogInData>): Promise<LogInResponse>;
  /** Exchange a refresh token for new tokens; reusing an old one ends the session */
  refreshTokens(options: Options<RefreshTokensData>): Promise<RefreshTokensResponse>;
  /** End the session of a refresh token */
  logOut(options: Options<LogOutData>): Promise<LogOutResponse>;
  /** Get the current user */
  getCurrentUser(options?: Options<GetCurrentUserData>): Promise<GetCurrentUserResponse>;
  /** Change the current user’s name, picture and visibility */
  changeProfile(options: Options<ChangeProfileData>): Promise<ChangeProfileResponse>;
  /** Change the current user’s password; their other sessions end */
  changeOwnPassword(options: Options<ChangeOwnPasswordData>): Promise<ChangeOwnPasswordResponse>;
  /** List the current user’s sessions, most recently used first, at most 200 */
  listSessions(options?: Options<ListSessionsData>): Promise<ListSessionsResponse>;
  /** End all sessions of the current user except the current one */
  endOtherSessions(options?: Options<EndOtherSessionsData>): Promise<EndOtherSessionsResponse>;
  /** End a session of the current user */
  endSession(options: Options<EndSessionData>): Promise<EndSessionResponse>;
}

export interface Users {
  /** List users, sorted by id or by another field */
  list(options?: Options<ListUsersData>): Promise<ListUsersResponse>;
  /** Create a user, who can log in if a password is given */
  create(options: Options<CreateUserData>): Promise<CreateUserResponse>;
  /** Change the role or the status of several users, all or none */
  changeMany(options: Options<ChangeUsersData>): Promise<ChangeUsersResponse>;
  /** Create or update users by external id, each independently; with dry_run=1 only report the results */
  upsert(options: Options<UpsertUsersData>): Promise<UpsertUsersResponse>;
  /** Change the role or the status of the users that match the filter, except the caller; 500 per request */
  changeMatching(options: Options<ChangeMatchingUsersData>): Promise<ChangeMatchingUsersResponse>;
  /** Get a user */
  get(options: Options<GetUserData>): Promise<GetUserResponse>;
  /** Change a user; disabling ends all sessions of the user */
  change(options: Options<ChangeUserData>): Promise<ChangeUserResponse>;
  /** Set a new password for a user; all sessions of the user end */
  setPassword(options: Options<SetUserPasswordData>): Promise<SetUserPasswordResponse>;
  /** Issue tokens for a user, like a login; not for administrators */
  issueTokens(options: Options<IssueTokensData>): Promise<IssueTokensResponse>;
  /** List a user’s sessions, most recently used first, at most 200 */
  listSessions(options: Options<ListUserSessionsData>): Promise<ListUserSessionsResponse>;
  /** End all sessions of a user, including the current session if it is the administrator’s own account */
  endSessions(options: Options<EndUserSessionsData>): Promise<EndUserSessionsResponse>;
  /** End a session of a user */
  endSession(options: Options<EndUserSessionData>): Promise<EndUserSessionResponse>;
  /** List the active sessions of all users, most recently used first */
  listAllSessions(options?: Options<ListAllSessionsData>): Promise<ListAllSessionsResponse>;
}

export interface Keys {
  /** List the API keys of backends, sorted by id */
  list(options?: Options<ListKeysData>): Promise<ListKeysResponse>;
  /** Create an API key for a backend; only this response contains the key itself */
  create(options: Options<CreateKeyData>): Promise<CreateKeyResponse>;
  /** Change an API key; takes effect on all instances within ten seconds */
  change(options: Options<ChangeKeyData>): Promise<ChangeKeyResponse>;
  /** Revoke an API key and, by default, end the sessions that it opened; takes effect on all instances within ten seconds */
  revoke(options: Options<RevokeKeyData>): Promise<RevokeKeyResponse>;
}

export interface Audit {
  /** List audit log entries, newest first */
  list(options?: Options<ListAuditData>): Promise<ListAuditResponse>;
}

export interface Events {
  /** The user's events after a cursor */
  poll(options?: Options<PollEventsData>): Promise<PollEventsResponse>;
}

export interface Calls {
  /** Call a user */
  place(options: Options<PlaceCallData>): Promise<PlaceCallResponse>;
  /** List the user's calls, newest first */
  list(options?: Options<ListCallsData>): Promise<ListCallsResponse>;
  /** Get the user's unfinished call, or null, when a client starts */
  getActive(options?: Options<GetActiveCallData>): Promise<GetActiveCallResponse>;
  /** Get a call; participants only */
  get(options: Options<GetCallData>): Promise<GetCallResponse>;
  /** Answer a call; the first terminal wins */
  accept(options: Options<AcceptCallData>): Promise<AcceptCallResponse>;
  /** Decline a ringing call */
  reject(options: Options<RejectCallData>): Promise<RejectCallResponse>;
  /** Cancel a call that has not been answered */
  cancel(options: Options<CancelCallData>): Promise<CancelCallResponse>;
  /** Hang up an answered call */
  hangUp(options: Options<HangUpCallData>): Promise<HangUpCallResponse>;
  /** Report the media state of a terminal */
  reportMedia(options: Options<ReportCallMediaData>): Promise<ReportCallMediaResponse>;
  /** Issue a new media token for the same uid */
  renewToken(options: Options<RenewCallTokenData>): Promise<RenewCallTokenResponse>;
  /** List all calls, newest first */
  listAll(options?: Options<ListAllCallsData>): Promise<ListAllCallsResponse>;
  /** End a call in any state; a finished call is returned unchanged */
  end(options: Options<EndCallData>): Promise<EndCallResponse>;
  /** Get a call with its terminals and timeline */
  getDetails(options: Options<GetCallDetailsData>): Promise<GetCallDetailsResponse>;
  /** Send a connection signal to the other terminal */
  sendSignal(options: Options<SendCallSignalData>): Promise<SendCallSignalResponse>;
}

export interface DeviceGroups {
  /** The whole tree; with If-None-Match 304 if it has not changed */
  getTree(options?: Options<GetDeviceGroupTreeData>): Promise<GetDeviceGroupTreeResponse>;
  /** Device counts of all groups; with If-None-Match 304 if none has changed */
  getDeviceCounts(options?: Options<GetDeviceCountsData>): Promise<GetDeviceCountsResponse>;
  /** List device groups, ordered by sort_order, then id */
  list(options?: Options<ListDeviceGroupsData>): Promise<ListDeviceGroupsResponse>;
  /** Create a device group, optionally with devices */
  create(options: Options<CreateDeviceGroupData>): Promise<CreateDeviceGroupResponse>;
  /** Move several groups with their subtrees next to one another */
  move(options: Options<MoveDeviceGroupsData>): Promise<MoveDeviceGroupsResponse>;
  /** Get a device group with its counts and ancestors */
  get(options: Options<GetDeviceGroupData>): Promise<GetDeviceGroupResponse>;
  /** Change a device group; a different parent_id moves its whole subtree */
  change(options: Options<ChangeDeviceGroupData>): Promise<ChangeDeviceGroupResponse>;
  /** Delete an empty device group */
  delete(options: Options<DeleteDeviceGroupData>): Promise<DeleteDeviceGroupResponse>;
  /** Put a device group next to another one, or last; its siblings are renumbered */
  place(options: Options<PlaceDeviceGroupData>): Promise<PlaceDeviceGroupResponse>;
  /** List the devices of a group by id; with recursive=1 also those of all groups below */
  listGroupDevices(options: Options<ListGroupDevicesData>): Promise<ListGroupDevicesResponse>;
  /** Add devices to a group, all or none; those already in it are skipped */
  addGroupDevices(options: Options<AddGroupDevicesData>): Promise<AddGroupDevicesResponse>;
  /** Remove devices from a group; those not in it are ignored */
  removeGroupDevices(options: Options<RemoveGroupDevicesData>): Promise<RemoveGroupDevicesResponse>;
  /** Move devices from another group into this one, all or none */
  moveGroupDevices(options: Options<MoveGroupDevicesData>): Promise<MoveGroupDevicesResponse>;
}

export interface Devices {
  /** Create or change devices by serial number; each one succeeds or fails independently */
  upsert(options: Options<UpsertDevicesData>): Promise<UpsertDevicesResponse>;
  /** Enable or disable several devices, all or none */
  changeMany(options: Options<ChangeDevicesData>): Promise<ChangeDevicesResponse>;
  /** Create or change devices from a file; with dry_run=1 only report the results */
  import(options: Options<ImportDevicesData>): Promise<ImportDevicesResponse>;
  /** List devices, by id or by another field */
  list(options?: Options<ListDevicesData>): Promise<ListDevicesResponse>;
  /** Create a device */
  create(options: Options<CreateDeviceData>): Promise<CreateDeviceResponse>;
  /** Delete several devices, all or none, and remove them from their groups */
  deleteMany(options: Options<DeleteDevicesData>): Promise<DeleteDevicesResponse>;
  /** Enable or disable the devices that match the filter; 500 per request */
  changeMatching(options: Options<ChangeMatchingDevicesData>): Promise<ChangeMatchingDevicesResponse>;
  /** Get a device */
  get(options: Options<GetDeviceData>): Promise<GetDeviceResponse>;
  /** Change a device */
  change(options: Options<ChangeDeviceData>): Promise<ChangeDeviceResponse>;
  /** Delete a device and remove it from its groups */
  delete(options: Options<DeleteDeviceData>): Promise<DeleteDeviceResponse>;
  /** Send a heartbeat, as the user of a device */
  sendHeartbeat(options: Options<SendHeartbeatData>): Promise<SendHeartbeatResponse>;
}

export interface System {
  /** Health of the parts of the service and of the jobs of this instance */
  getHealth(options?: Options<GetHealthData>): Promise<GetHealthResponse>;
  /** Effective configuration; for secrets only whether they are set */
  getConfig(options?: Options<GetConfigData>): Promise<GetConfigResponse>;
}

export interface Notifications {
  /** List the current user's notifications, newest first */
  list(options?: Options<ListNotificationsData>): Promise<ListNotificationsResponse>;
  /** Count the unread notifications, in total and by type */
  countUnread(options?: Options<CountUnreadNotificationsData>): Promise<CountUnreadNotificationsResponse>;
  /** Mark all notifications read, or all of one type */
  markAllRead(options: Options<MarkAllNotificationsReadData>): Promise<MarkAllNotificationsReadResponse>;
  /** Mark a notification read; idempotent */
  markRead(options: Options<MarkNotificationReadData>): Promise<MarkNotificationReadResponse>;
  /** Mark a notification unread */
  markUnread(options: Options<MarkNotificationUnreadData>): Promise<MarkNotificationUnreadResponse>;
  /** Archive a notification; idempotent */
  archive(options: Options<ArchiveNotificationData>): Promise<ArchiveNotificationResponse>;
  /** Move an archived or snoozed notification back into the inbox; idempotent */
  restore(options: Options<RestoreNotificationData>): Promise<RestoreNotificationResponse>;
  /** Archive a notification until a time, when it comes back as unread */
  snooze(options: Options<SnoozeNotificationData>): Promise<SnoozeNotificationResponse>;
  /** Move a snoozed notification back into the inbox now; idempotent */
  endSnooze(options: Options<EndNotificationSnoozeData>): Promise<EndNotificationSnoozeResponse>;
  /** Delete a notification */
  delete(options: Options<DeleteNotificationData>): Promise<DeleteNotificationResponse>;
  /** Notify named users, all existing users, or all existing users with a role */
  send(options: Options<SendNotificationData>): Promise<SendNotificationResponse>;
}

export interface Announcements {
  /** List announcements, newest first */
  list(options?: Options<ListAnnouncementsData>): Promise<ListAnnouncementsResponse>;
  /** Get an announcement */
  get(options: Options<GetAnnouncementData>): Promise<GetAnnouncementResponse>;
  /** Recall an announcement from all inboxes */
  recall(options: Options<RecallAnnouncementData>): Promise<RecallAnnouncementResponse>;
}

export interface Conversations {
  /** List the conversations of all users, newest first, without contents */
  listAll(options?: Options<ListAllConversationsData>): Promise<ListAllConversationsResponse>;
  /** Get a conversation with its statistics, without contents */
  getDetails(options: Options<GetConversationDetailsData>): Promise<GetConversationDetailsResponse>;
  /** Close a group: remove all members and delete its messages */
  close(options: Options<CloseConversationData>): Promise<CloseConversationResponse>;
  /** List the members of a conversation, the longest membership first */
  listConversationMembers(options: Options<ListConversationMembersData>): Promise<ListConversationMembersResponse>;
  /** Read messages of a conversation, for a reason that the audit log keeps */
  inspect(options: Options<InspectConversationData>): Promise<InspectConversationResponse>;
  /** List conversations: pinned first, then by their newest message */
  list(options?: Options<ListConversationsData>): Promise<ListConversationsResponse>;
  /** Create a group, or open the single chat with a user */
  create(options: Options<CreateConversationData>): Promise<CreateConversationResponse>;
  /** Get a conversation */
  get(options: Options<GetConversationData>): Promise<GetConversationResponse>;
  /** Change a group's name or picture, as its owner */
  change(options: Options<ChangeConversationData>): Promise<ChangeConversationResponse>;
  /** Dissolve a group, as its owner */
  delete(options: Options<DeleteConversationData>): Promise<DeleteConversationResponse>;
  /** Make another member the owner of a group, as its owner */
  changeOwner(options: Options<ChangeConversationOwnerData>): Promise<ChangeConversationOwnerResponse>;
  /** Pin, mute or hide a conversation for the user only */
  changeSettings(options: Options<ChangeConversationSettingsData>): Promise<ChangeConversationSettingsResponse>;
  /** Mark a conversation read up to a message */
  markRead(options: Options<MarkConversationReadData>): Promise<MarkConversationReadResponse>;
  /** Count the unread messages in all conversations that are not muted */
  countUnreadMessages(options?: Options<CountUnreadMessagesData>): Promise<CountUnreadMessagesResponse>;
  /** List the members, the longest membership first */
  listMembers(options: Options<ListMembersData>): Promise<ListMembersResponse>;
  /** Add users to a group, as its owner */
  addMembers(options: Options<AddMembersData>): Promise<AddMembersResponse>;
  /** Remove a member from a group, as its owner, or leave the group */
  removeMember(options: Options<RemoveMemberData>): Promise<RemoveMemberResponse>;
  /** Notify the other members that the user is typing, or has stopped */
  setTyping(options: Options<SetTypingData>): Promise<SetTypingResponse>;
}

export interface Messages {
  /** Search the texts of messages, newest first */
  search(options: Options<SearchMessagesData>): Promise<SearchMessagesResponse>;
  /** List the history, newest first, and mark the conversation read unless `mark_read` is 0 */
  list(options: Options<ListMessagesData>): Promise<ListMessagesResponse>;
  /** Send a message or uploaded files, or forward a message */
  send(options: Options<SendMessageData>): Promise<SendMessageResponse>;
  /** Get a message without marking it read */
  get(options: Options<GetMessageData>): Promise<GetMessageResponse>;
  /** Edit a text message that the user has sent */
  edit(options: Options<EditMessageData>): Promise<EditMessageResponse>;
  /** Delete a message for the user only */
  delete(options: Options<DeleteMessageData>): Promise<DeleteMessageResponse>;
  /** List the members who have read a message of the user, the first reader first */
  listReaders(options: Options<ListReadersData>): Promise<ListReadersResponse>;
  /** Recall a message that the user has sent */
  recall(options: Options<RecallMessageData>): Promise<RecallMessageResponse>;
  /** React to a message with an emoji, or remove the reaction */
  reactTo(options: Options<ReactToMessageData>): Promise<ReactToMessageResponse>;
  /** List the reactions to a message, the earliest first */
  listReactions(options: Options<ListReactionsData>): Promise<ListReactionsResponse>;
  /** Mark a conversation read and clear its history, for the user only */
  clearConversation(options: Options<ClearConversationData>): Promise<ClearConversationResponse>;
}

export interface People {
  /** Find users by account or id, and by name where the directory is open */
  search(options: Options<SearchPeopleData>): Promise<SearchPeopleResponse>;
  /** List the users whom the current user has blocked, newest first */
  listBlocks(options?: Options<ListBlocksData>): Promise<ListBlocksResponse>;
  /** Get a user’s profile, with block state and single chat */
  getProfile(options: Options<GetProfileData>): Promise<GetProfileResponse>;
  /** Block a user: prevents messages and calls between the two; the blocked user is not notified */
  blockUser(options: Options<BlockUserData>): Promise<BlockUserResponse>;
  /** Unblock a user */
  unblockUser(options: Options<UnblockUserData>): Promise<UnblockUserResponse>;
  /** Get the presence of users with a single chat, or of the members of a conversation */
  getPresence(options?: Options<GetPresenceData>): Promise<GetPresenceResponse>;
}

export interface Preferences {
  /** Get the current user’s preferences about notifications and pushes */
  get(options?: Options<GetPreferencesData>): Promise<GetPreferencesResponse>;
  /** Change the current user’s preferences; fields that are not sent keep their values */
  update(options: Options<UpdatePreferencesData>): Promise<UpdatePreferencesResponse>;
}

export interface Clients {
  /** Configuration that a client needs before log-in; 304 if `If-None-Match` has the current ETag */
  getConfig(options?: Options<GetClientConfigData>): Promise<GetClientConfigResponse>;
}

export interface Webhooks {
  /** List the endpoints, ordered by id */
  list(options?: Options<ListWebhooksData>): Promise<ListWebhooksResponse>;
  /** Create an endpoint that receives events; only this response contains its secret */
  create(options: Options<CreateWebhookData>): Promise<CreateWebhookResponse>;
  /** Get an endpoint */
  get(options: Options<GetWebhookData>): Promise<GetWebhookResponse>;
  /** Change, enable or disable an endpoint */
  change(options: Options<ChangeWebhookData>): Promise<ChangeWebhookResponse>;
  /** Delete an endpoint with its deliveries */
  delete(options: Options<DeleteWebhookData>): Promise<DeleteWebhookResponse>;
  /** Replace the secret of an endpoint; for 24 h the previous one signs as well */
  rotateSecret(options: Options<RotateWebhookSecretData>): Promise<RotateWebhookSecretResponse>;
  /** Post a test event to an endpoint once, even if it is disabled */
  test(options: Options<TestWebhookData>): Promise<TestWebhookResponse>;
  /** List the deliveries of an endpoint, newest first */
  listDeliveries(options: Options<ListWebhookDeliveriesData>): Promise<ListWebhookDeliveriesResponse>;
  /** Get a delivery with its payload and the response to a failed attempt */
  getDelivery(options: Options<GetWebhookDeliveryData>): Promise<GetWebhookDeliveryResponse>;
  /** Send a delivery again with the same `webhook-id` */
  redeliver(options: Options<RedeliverWebhookData>): Promise<RedeliverWebhookResponse>;
  /** Send the failed and held deliveries since a given time again */
  replay(options: Options<ReplayWebhookData>): Promise<ReplayWebhookResponse>;
}

export interface Push {
  /** Get what an app needs to register for pushes */
  getConfig(options?: Options<GetPushConfigData>): Promise<GetPushConfigResponse>;
  /** List the current user’s push targets, ordered by id */
  listTargets(options?: Options<ListPushTargetsData>): Promise<ListPushTargetsResponse>;
  /** Register this terminal for pushes, or renew it; apps do so at every start */
  registerTarget(options: Options<RegisterPushTargetData>): Promise<RegisterPushTargetResponse>;
  /** Delete a push target of the current user */
  deleteTarget(options: Options<DeletePushTargetData>): Promise<DeletePushTargetResponse>;
  /** Send a test push to a target of the current user; at most 5 a minute */
  testTarget(options: Options<TestPushTargetData>): Promise<TestPushTargetResponse>;
  /** Confirm the receipt of a push; a repeated confirmation is not counted */
  confirm(options: Options<ConfirmPushData>): Promise<ConfirmPushResponse>;
  /** Get the state of the push queue and the number of targets by kind */
  getHealth(options?: Options<GetPushHealthData>): Promise<GetPushHealthResponse>;
  /** List a user’s push targets, ordered by id */
  listUserTargets(options: Options<ListUserPushTargetsData>): Promise<ListUserPushTargetsResponse>;
  /** Delete a push target of any user; its app registers it again at its next start */
  deleteUserTarget(options: Options<DeleteUserPushTargetData>): Promise<DeleteUserPushTargetResponse>;
  /** Send a test push to a target of any user; at most 5 a minute */
  testUserTarget(options: Options<TestUserPushTargetData>): Promise<TestUserPushTargetResponse>;
}

export interface Statistics {
  /** Call statistics by day, and for the whole range */
  getCall(options?: Options<GetCallStatisticsData>): Promise<GetCallStatisticsResponse>;
  /** Current counts and totals, and the last 30 days */
  getOverview(options?: Options<GetOverviewData>): Promise<GetOverviewResponse>;
}

/** Every operation of the service, grouped by tag. */
export interface Operations {
  identity: Identity;
  users: Users;
  keys: Keys;
  audit: Audit;
  events: Events;
  calls: Calls;
  deviceGroups: DeviceGroups;
  devices: Devices;
  system: System;
  notifications: Notifications;
  announcements: Announcements;
  conversations: Conversations;
  messages: Messages;
  people: People;
  preferences: Preferences;
  clients: Clients;
  webhooks: Webhooks;
  push: Push;
  statistics: Statistics;
}

export type OperationId =
  | 'logIn'
  | 'refreshTokens'
  | 'logOut'
  | 'getCurrentUser'
  | 'changeProfile'
  | 'changeOwnPassword'
  | 'listSessions'
  | 'endOtherSessions'
  | 'endSession'
  | 'listUsers'
  | 'createUser'
  | 'changeUsers'
  | 'upsertUsers'
  | 'changeMatchingUsers'
  | 'getUser'
  | 'changeUser'
  | 'setUserPassword'
  | 'issueTokens'
  | 'listUserSessions'
  | 'endUserSessions'
  | 'endUserSession'
  | 'listAllSessions'
  | 'listKeys'
  | 'createKey'
  | 'changeKey'
  | 'revokeKey'
  | 'listAudit'
  | 'pollEvents'
  | 'placeCall'
  | 'listCalls'
  | 'getActiveCall'
  | 'getCall'
  | 'acceptCall'
  | 'rejectCall'
  | 'cancelCall'
  | 'hangUpCall'
  | 'reportCallMedia'
  | 'renewCallToken'
  | 'listAllCalls'
  | 'endCall'
  | 'getCallDetails'
  | 'sendCallSignal'
  | 'getDeviceGroupTree'
  | 'getDeviceCounts'
  | 'listDeviceGroups'
  | 'createDeviceGroup'
  | 'moveDeviceGroups'
  | 'getDeviceGroup'
  | 'changeDeviceGroup'
  | 'deleteDeviceGroup'
  | 'placeDeviceGroup'
  | 'listGroupDevices'
  | 'addGroupDevices'
  | 'removeGroupDevices'
  | 'moveGroupDevices'
  | 'upsertDevices'
  | 'changeDevices'
  | 'importDevices'
  | 'listDevices'
  | 'createDevice'
  | 'deleteDevices'
  | 'changeMatchingDevices'
  | 'getDevice'
  | 'changeDevice'
  | 'deleteDevice'
  | 'sendHeartbeat'
  | 'getHealth'
  | 'getConfig'
  | 'listNotifications'
  | 'countUnreadNotifications'
  | 'markAllNotificationsRead'
  | 'markNotificationRead'
  | 'markNotificationUnread'
  | 'archiveNotification'
  | 'restoreNotification'
  | 'snoozeNotification'
  | 'endNotificationSnooze'
  | 'deleteNotification'
  | 'sendNotification'
  | 'listAnnouncements'
  | 'getAnnouncement'
  | 'recallAnnouncement'
  | 'listAllConversations'
  | 'getConversationDetails'
  | 'closeConversation'
  | 'listConversationMembers'
  | 'inspectConversation'
  | 'listConversations'
  | 'createConversation'
  | 'getConversation'
  | 'changeConversation'
  | 'deleteConversation'
  | 'changeConversationOwner'
  | 'changeConversationSettings'
  | 'markConversationRead'
  | 'countUnreadMessages'
  | 'listMembers'
  | 'addMembers'
  | 'removeMember'
  | 'searchMessages'
  | 'listMessages'
  | 'sendMessage'
  | 'getMessage'
  | 'editMessage'
  | 'deleteMessage'
  | 'listReaders'
  | 'recallMessage'
  | 'reactToMessage'
  | 'listReactions'
  | 'clearConversation'
  | 'setTyping'
  | 'searchPeople'
  | 'listBlocks'
  | 'getProfile'
  | 'blockUser'
  | 'unblockUser'
  | 'getPresence'
  | 'getPreferences'
  | 'updatePreferences'
  | 'getClientConfig'
  | 'listWebhooks'
  | 'createWebhook'
  | 'getWebhook'
  | 'changeWebhook'
  | 'deleteWebhook'
  | 'rotateWebhookSecret'
  | 'testWebhook'
  | 'listWebhookDeliveries'
  | 'getWebhookDelivery'
  | 'redeliverWebhook'
  | 'replayWebhook'
  | 'getPushConfig'
  | 'listPushTargets'
  | 'registerPushTarget'
  | 'deletePushTarget'
  | 'testPushTarget'
  | 'confirmPush'
  | 'getPushHealth'
  | 'listUserPushTargets'
  | 'deleteUserPushTarget'
  | 'testUserPushTarget'
  | 'getCallStatistics'
  | 'getOverview';
