/* The baseline's tables: as narrow as its responses allow, with keys that match its queries. MariaDB only. */

const OPTIONS = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin';

const COLUMNS: Record<string, string> = {
  users: `
    id BIGINT NOT NULL PRIMARY KEY,
    name VARCHAR(100) NOT NULL,
    avatar VARCHAR(500) NULL,
    status TINYINT NOT NULL`,

  // `seq` and `type_seq` number an inbox, and its notifications of one type, without gaps, so that a page is a range of
  // them.
  notifications: `
    user_id BIGINT NOT NULL,
    seq INT NOT NULL,
    id BIGINT NOT NULL AUTO_INCREMENT,
    type VARCHAR(50) NOT NULL,
    type_seq INT NOT NULL,
    title VARCHAR(100) NOT NULL,
    content VARCHAR(2000) NOT NULL,
    data TEXT NULL,
    unread_epoch INT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (user_id, seq),
    UNIQUE KEY (id),
    UNIQUE KEY (user_id, type, type_seq)`,

  // An inbox (type ''), or its notifications of one type: total, unread count, and a bit for each unread one. Marking
  // all as read starts a new epoch in the row of the inbox; rows of types with an earlier epoch have no unread
  // notifications.
  inbox_lists: `
    user_id BIGINT NOT NULL,
    type VARCHAR(50) NOT NULL,
    total INT NOT NULL,
    unread INT NOT NULL,
    epoch INT NOT NULL,
    unread_bits BLOB NOT NULL,
    PRIMARY KEY (user_id, type)`,

  // Contains the newest message, so that the list needs no lookup.
  conversations: `
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    type VARCHAR(8) NOT NULL,
    name VARCHAR(100) NOT NULL,
    avatar VARCHAR(500) NULL,
    member_count INT NOT NULL,
    pulled TINYINT NOT NULL,
    max_seq BIGINT NOT NULL,
    last_recalled_seq BIGINT NOT NULL,
    last_sender_id BIGINT NULL,
    last_type VARCHAR(16) NULL,
    last_content VARCHAR(5000) NULL,
    last_extra TEXT NULL,
    last_at DATETIME(3) NULL`,

  members: `
    conversation_id BIGINT NOT NULL,
    user_id BIGINT NOT NULL,
    peer_id BIGINT NULL,
    role VARCHAR(8) NOT NULL,
    join_seq BIGINT NOT NULL,
    joined_at DATETIME(3) NOT NULL,
    read_seq BIGINT NOT NULL,
    read_id BIGINT NULL,
    pinned TINYINT NOT NULL,
    muted TINYINT NOT NULL,
    mute_until DATETIME(3) NULL,
    pulled TINYINT NOT NULL,
    sort_at DATETIME(3) NOT NULL,
    PRIMARY KEY (conversation_id, user_id),
    KEY list (user_id, pulled, pinned, sort_at, conversation_id),
    KEY readers (conversation_id, read_seq),
    KEY joiners (conversation_id, join_seq)`,

  conversation_totals: `
    user_id BIGINT NOT NULL PRIMARY KEY,
    total INT NOT NULL`,

  messages: `
    conversation_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    id BIGINT NOT NULL AUTO_INCREMENT,
    sender_id BIGINT NOT NULL,
    type VARCHAR(16) NOT NULL,
    content VARCHAR(5000) NOT NULL,
    extra TEXT NULL,
    created_at DATETIME(3) NOT NULL,
    recalled_at DATETIME(3) NULL,
    client_msg_id VARCHAR(64) NULL,
    PRIMARY KEY (conversation_id, seq),
    UNIQUE KEY (id),
    UNIQUE KEY (conversation_id, sender_id, client_msg_id)`,

  recalls: `
    conversation_id BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    PRIMARY KEY (conversation_id, seq)`,

  // Read intervals: reader, first and last message, time. Reader 0 is the first reader in a group.
  readings: `
    conversation_id BIGINT NOT NULL,
    reader_id BIGINT NOT NULL,
    to_seq BIGINT NOT NULL,
    from_seq BIGINT NOT NULL,
    read_at DATETIME(3) NOT NULL,
    PRIMARY KEY (conversation_id, reader_id, to_seq)`,

  // Keyed by the position in the list of all groups, so that a page is a range. A change of the tree rewrites the
  // positions.
  device_groups: `
    place INT NOT NULL PRIMARY KEY,
    id BIGINT NOT NULL,
    name VARCHAR(100) NOT NULL,
    description VARCHAR(500) NOT NULL,
    parent_id BIGINT NULL,
    sort_order INT NOT NULL,
    status TINYINT NOT NULL,
    device_count INT NOT NULL,
    total_device_count INT NOT NULL,
    UNIQUE KEY (id)`,

  device_group_tree: `
    version BIGINT NOT NULL PRIMARY KEY,
    total INT NOT NULL`,

  calls: `
    id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    caller_id BIGINT NOT NULL,
    callee_id BIGINT NOT NULL,
    media_type VARCHAR(8) NOT NULL,
    status VARCHAR(16) NOT NULL,
    version INT NOT NULL,
    channel_name VARCHAR(64) NOT NULL,
    caller_uid BIGINT NOT NULL,
    callee_uid BIGINT NOT NULL,
    caller_terminal_id VARCHAR(64) NOT NULL,
    answered_terminal_id VARCHAR(64) NULL,
    created_at DATETIME(3) NOT NULL,
    ring_expires_at DATETIME(3) NOT NULL,
    accepted_at DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    end_reason VARCHAR(64) NULL,
    ended_by BIGINT NULL,
    deadline_at DATETIME(3) NULL,
    KEY (caller_id, id),
    KEY (callee_id, id),
    KEY (deadline_at)`,

  // The unfinished call of each user.
  seats: `
    user_id BIGINT NOT NULL PRIMARY KEY,
    call_id BIGINT NULL`,
};

export const TABLES = Object.keys(COLUMNS);

/** Statements that create the tables. */
export const CREATE = Object.entries(COLUMNS).map(
  ([name, columns]) => `CREATE TABLE ${name} (${columns}) ${OPTIONS}`,
);
