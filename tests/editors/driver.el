;;; -*- lexical-binding: t -*-
;; A person's first minute in Emacs, with the lines that the documentation shows.
(dolist (page (split-string (getenv "PLIMSOLL_CONFIG") ":")) (load page nil t))
(setq confirm-kill-processes nil
      vc-handled-backends '(Git))

;; As the page says: what the editor knows is announced beside the trust.
(let ((options (plist-get (cddr (cdr (assq 'text-mode eglot-server-programs)))
                          :initializationOptions)))
  (nconc (plist-get options :plimsoll) '(:capabilities (:editorKnowledge t))))

(defvar asked nil "The questions before a change.")
(advice-add 'completing-read :override
            (lambda (prompt choices &rest _)
              (push prompt asked)
              (let ((first (car (all-completions "" choices)))) first)))

(defvar answered nil "What was answered of the code.")
(cl-defmethod eglot-handle-request :around
  (_server (_method (eql plimsoll/editor/references)) &rest _)
  (car (push (cl-call-next-method) answered)))

(defun shown () (with-current-buffer (get-buffer-create "*plimsoll*") (buffer-string)))

(defun say-and-wait (text end)
  (plimsoll text)
  (let ((until (+ (float-time) 60)))
    (while (and (not (string-search end (shown))) (< (float-time) until))
      (accept-process-output nil 0.05)))
  (unless (string-search end (shown)) (error "It never said %s: %s" end (shown))))

(find-file (getenv "PLIMSOLL_FILE"))
(text-mode)
(call-interactively #'eglot)
(say-and-wait "is it lost?" "It is not there.")
(say-and-wait "write it down" "Written down.")
(say-and-wait "where is it used?" "Seen.")
(princ (json-serialize (list :shown (shown) :asked (vconcat asked) :answered (vconcat answered))))
(kill-emacs 0)
